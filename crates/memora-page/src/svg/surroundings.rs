//! What is named beside a name: a ring around it, the thicker the line the more often.

use super::shorten;

/// The most names in the ring.
const NAMES_MAX: usize = 14;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 330.0;

/// A name in the ring, and its line to the middle.
#[derive(Debug, PartialEq)]
pub(crate) struct Neighbour {
    pub(crate) x: String,
    pub(crate) y: String,
    /// Where its name stands.
    pub(crate) text_x: String,
    pub(crate) text_y: String,
    pub(crate) anchor: &'static str,
    pub(crate) name: String,
    pub(crate) short: String,
    pub(crate) count: usize,
    pub(crate) width: String,
    pub(crate) address: String,
}

/// The picture.
pub(crate) struct Surroundings {
    pub(crate) middle: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) around: Vec<Neighbour>,
}

impl Surroundings {
    pub(crate) fn view_box(&self) -> String {
        format!("0 0 {WIDTH} {HEIGHT}")
    }
}

/// Draws a name with those beside it, the most frequent first.
pub(crate) fn draw_surroundings<'n>(name: &str, beside: impl Iterator<Item = (&'n str, usize)>) -> Surroundings {
    let beside: Vec<(&str, usize)> = beside.take(NAMES_MAX).collect();
    let (middle_x, middle_y) = (WIDTH / 2.0, HEIGHT / 2.0);
    let most = beside.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1) as f64;
    let around = beside.iter().enumerate().map(|(at, (name, count))| {
        let turn = std::f64::consts::TAU * at as f64 / beside.len() as f64 - std::f64::consts::FRAC_PI_2;
        let (x, y) = (middle_x + 190.0 * turn.cos(), middle_y + 125.0 * turn.sin());
        let anchor = match turn.cos() {
            right if right > 0.25 => "start",
            left if left < -0.25 => "end",
            _ => "middle",
        };
        let aside = match anchor {
            "start" => 10.0,
            "end" => -10.0,
            _ => 0.0,
        };
        let down = if anchor == "middle" { if turn.sin() > 0.0 { 20.0 } else { -12.0 } } else { 4.0 };
        Neighbour {
            x: format!("{x:.1}"),
            y: format!("{y:.1}"),
            text_x: format!("{:.1}", x + aside),
            text_y: format!("{:.1}", y + down),
            anchor,
            name: (*name).to_owned(),
            short: shorten(name, 24),
            count: *count,
            width: format!("{:.1}", 1.0 + 4.0 * *count as f64 / most),
            address: crate::links::entity(name),
        }
    });
    let around = around.collect();
    Surroundings { middle: shorten(name, 22), x: format!("{middle_x:.1}"), y: format!("{middle_y:.1}"), around }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_a_ring_and_inside_the_picture() {
        let names: Vec<String> = (0..20).map(|number| format!("name {number} & more")).collect();
        let drawn = draw_surroundings("drift", names.iter().zip(1..).map(|(name, count)| (name.as_str(), count)));
        assert_eq!(drawn.around.len(), NAMES_MAX);
        let number = |text: &str| text.parse::<f64>().expect("a number");
        assert!(drawn.around.iter().all(|one| (0.0..=WIDTH).contains(&number(&one.x))));
        assert!(drawn.around.iter().all(|one| (0.0..=HEIGHT).contains(&number(&one.text_y))));
        assert_eq!(drawn.around[0].anchor, "middle");
        assert_eq!(drawn.around[0].address, "/entity/name%200%20%26%20more");
        assert!(number(&drawn.around[13].width) > number(&drawn.around[0].width));
    }
}
