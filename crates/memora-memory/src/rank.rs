//! The formulas that order memories. Days are since a memory was created or last recalled, whichever is later.

/// Returns how recent a memory is: 1 today, ½ after a half-life in days; always 1 for what does not fade.
#[must_use]
pub fn recency(days: f64, half_life: Option<f64>) -> f64 {
    half_life.map_or(1.0, |half| (-(days.max(0.0)) / half).exp2())
}

/// Returns the weight of having been recalled this many times.
#[must_use]
pub fn frequency(recalls: u32) -> f64 {
    1.0 + 0.15 * (1.0 + f64::from(recalls)).log2()
}

/// Returns the order of a hit in a search: recency halves at most.
#[must_use]
pub fn salience(relevance: f64, recency: f64, frequency: f64, trust: f64) -> f64 {
    relevance * (0.5 + 0.5 * recency) * frequency * trust
}

/// Returns the order of a memory where nothing is asked: how sure its writer was, how recent and how often recalled.
#[must_use]
pub fn strength(confidence: f64, recency: f64, recalls: u32) -> f64 {
    confidence * (0.5 + 0.3 * recency + 0.2 * (f64::from(recalls) / 10.0).min(1.0))
}

/// Returns whether a memory has faded so far that it is proposed for the archive.
#[must_use]
pub fn is_faded(confidence: f64, recency: f64) -> bool {
    confidence * recency < 0.2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decay_of_the_systems_asked_for_is_kept() {
        let days = [(0.0, 1.0), (3.0, 0.862), (7.0, 0.707), (14.0, 0.5), (30.0, 0.226), (60.0, 0.051)];
        for (days, expected) in days {
            assert!((recency(days, Some(14.0)) - expected).abs() < 0.0006, "{days}");
        }
        assert_eq!(recency(1e9, None), 1.0);
        // 0.95 a day is a half-life of 13.5 days.
        assert!((recency(1.0, Some(13.5)) - 0.95).abs() < 0.0005);
    }

    #[test]
    fn recency_halves_at_most_and_use_adds_little() {
        assert!(salience(1.0, recency(1e6, Some(14.0)), 1.0, 1.0) >= 0.5);
        assert_eq!(frequency(0), 1.0);
        assert!((frequency(1) - 1.15).abs() < 1e-9 && (frequency(7) - 1.45).abs() < 1e-9);
    }

    #[test]
    fn only_what_fades_is_faded() {
        assert!(is_faded(0.8, recency(130.0, Some(60.0))) && !is_faded(0.8, recency(110.0, Some(60.0))));
        assert!(!is_faded(0.8, recency(1e6, None)));
    }

    #[test]
    fn strength_is_confidence_at_most() {
        assert!((strength(0.8, 1.0, 0) - 0.64).abs() < 1e-9);
        assert!((strength(0.8, 1.0, 10) - 0.8).abs() < 1e-9);
        assert!((strength(0.8, 1.0, 1_000) - 0.8).abs() < 1e-9);
        assert!((strength(1.0, 0.0, 0) - 0.5).abs() < 1e-9);
    }
}
