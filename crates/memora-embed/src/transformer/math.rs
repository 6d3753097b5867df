//! Functions of a number that are computed for many at once: without a branch or a call, so that loops over them are vectorized.

/// Added to a smaller float, what is behind the point is rounded away, and the whole number stands in the sum's last bits.
pub(super) const ROUNDING: f32 = 12_582_912.0;

/// `e` to the power of `x`, to a few units in the last place; nothing below -87.
///
/// Two to the power of the whole part is put into a float's exponent, and the rest is a polynomial (Cephes, `expf`).
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const TERMS: [f32; 6] = [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5];
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let polynomial = TERMS.iter().fold(0.0, |sum, term| sum * rest + term);
    let power = (shifted.to_bits() << 23).wrapping_add(127 << 23);
    f32::from_bits(power) * (polynomial * rest * rest + rest + 1.0)
}

/// The Gaussian error linear unit, `x Φ(x)`.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, to a few units in the last place: the rational approximation that Eigen uses.
#[inline(always)]
fn erf(x: f32) -> f32 {
    const ABOVE: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_5e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const BELOW: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let polynomial = |terms: &[f32]| terms.iter().fold(0.0, |sum, term| sum * square + term);
    x * polynomial(&ABOVE) / polynomial(&BELOW)
}

/// A sum by sixteen sums, since floats are never added in another order than the program says.
#[inline(always)]
pub(super) fn lane_sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (lanes, rest) = row.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for lane in lanes {
        for (sum, value) in sums.iter_mut().zip(lane) {
            *sum += of(*value);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|value| of(*value)).sum::<f32>()
}

/// The greatest number of a row, by sixteen of them at once.
#[inline(always)]
pub(super) fn lane_max(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (lanes, rest) = row.as_chunks::<16>();
    let mut most = [f32::NEG_INFINITY; 16];
    for lane in lanes {
        for (most, value) in most.iter_mut().zip(lane) {
            let value = of(*value);
            *most = if value > *most { value } else { *most };
        }
    }
    most.into_iter().chain(rest.iter().map(|value| of(*value))).fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e_are_those_of_the_library() {
        for step in 0..8800u16 {
            let x = -f32::from(step) / 100.0 + 1.0;
            let (found, expected) = (exp(x), x.max(-87.0).exp());
            assert!((found - expected).abs() <= expected * 4.0 * f32::EPSILON, "{x}: {found} {expected}");
        }
    }

    #[test]
    fn the_error_function_is_that_of_the_tables() {
        for (x, expect) in
            [(0.0, 0.0), (0.1, 0.112_462_92), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (3.5, 1.0)]
        {
            assert!((erf(x) - expect).abs() < 2e-6, "{x}: {}", erf(x));
            assert!((erf(-x) + expect).abs() < 2e-6, "-{x}");
        }
        assert!((gelu(1.0) - 0.841_344_7).abs() < 2e-6);
    }
}
