//! The two kinds of door.

use memora_vault::Band;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::LocalDoor {}
    impl Sealed for super::CloudDoor {}
}

/// A way text leaves the process. Sealed: there are two kinds, and nobody adds one from outside.
pub trait Door: sealed::Sealed + Clone + std::fmt::Debug + 'static {
    /// Whether text of this band may pass.
    fn may_show(&self, band: Band) -> bool;

    /// The strictest band that may pass.
    fn strictest_band(&self) -> Band {
        [Band::Secret, Band::Private].into_iter().find(|band| self.may_show(*band)).unwrap_or(Band::Public)
    }

    /// Whether the guarded index may be searched, and counts taken over everything.
    fn is_local(&self) -> bool;
}

/// The user's own eyes: a terminal, or output that the user declared local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalDoor;

impl Door for LocalDoor {
    fn may_show(&self, _band: Band) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }
}

/// Anything else: a pipe, a file, another program, a model elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CloudDoor {
    sees: CloudVisibility,
}

/// What the user's own configuration lets a cloud door see. Secret text is not among the choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloudVisibility {
    /// Public text only.
    #[default]
    Public,
    /// Private text too.
    Private,
}

impl CloudDoor {
    /// A cloud door as the user's own configuration has it.
    #[must_use]
    pub fn new(sees: CloudVisibility) -> Self {
        Self { sees }
    }
}

impl Door for CloudDoor {
    fn may_show(&self, band: Band) -> bool {
        match band {
            Band::Public => true,
            Band::Private => self.sees == CloudVisibility::Private,
            Band::Secret => false,
        }
    }

    fn is_local(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cloud_door_shows_a_secret() {
        for sees in [CloudVisibility::Public, CloudVisibility::Private] {
            assert!(!CloudDoor::new(sees).may_show(Band::Secret));
            assert!(CloudDoor::new(sees).may_show(Band::Public));
        }
        assert!(!CloudDoor::default().may_show(Band::Private));
        assert!(LocalDoor.may_show(Band::Secret));
    }
}
