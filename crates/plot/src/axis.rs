//! The two axes of a chart: what they are called and how they place values.

/// One axis of a chart.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Axis {
    /// What is measured, with its unit: it stands beside the axis.
    pub label: String,
    /// How values are placed.
    pub scale: Scale,
    /// The values at the two ends. `None`, or ends that span nothing on this scale, leaves the choice to the data.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis on which equal differences have equal lengths.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, range: None }
    }

    /// An axis on which equal ratios have equal lengths. Zero and negative values have no place on it.
    pub fn log10(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log10, range: None }
    }

    /// The same axis with fixed ends; what lies outside of them is cut off.
    #[must_use]
    pub fn with_range(self, low: f64, high: f64) -> Axis {
        Axis { range: Some((low, high)), ..self }
    }
}

/// How an axis places values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths.
    Log10,
}

/// Beyond this, in both directions, numbers are drawn as if they were this: it keeps every difference finite.
const LARGEST: f64 = 1e300;

impl Scale {
    /// The place of a value, in units of the scale: the value itself or its logarithm. `None` if it has none.
    pub(crate) fn place(self, value: f64) -> Option<f64> {
        match self {
            _ if !value.is_finite() => None,
            Scale::Linear => Some(value.clamp(-LARGEST, LARGEST)),
            Scale::Log10 if value <= 0.0 => None,
            Scale::Log10 => Some(value.clamp(1.0 / LARGEST, LARGEST).log10()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_a_place_have_none() {
        for scale in [Scale::Linear, Scale::Log10] {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(scale.place(value), None);
            }
        }
        assert_eq!(Scale::Log10.place(0.0), None);
        assert_eq!(Scale::Log10.place(-3.0), None);
        assert_eq!(Scale::Linear.place(-3.0), Some(-3.0));
        assert_eq!(Scale::Log10.place(1000.0), Some(3.0));
    }
}
