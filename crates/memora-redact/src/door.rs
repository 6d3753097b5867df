//! The two kinds of door.

use memora_vault::Band;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::LocalDoor {}
    impl Sealed for super::CloudDoor {}
}

/// A channel through which text leaves the process. Sealed: only the two kinds below exist.
pub trait Door: sealed::Sealed + Clone + std::fmt::Debug + 'static {
    /// Whether text of this band may pass.
    fn may_show(&self, band: Band) -> bool;

    /// Returns the strictest band that may pass.
    fn strictest_band(&self) -> Band {
        [Band::Secret, Band::Private].into_iter().find(|band| self.may_show(*band)).unwrap_or(Band::Public)
    }

    /// Whether the guarded index may be searched, and counts may cover everything.
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

/// Any other destination: a pipe, a file, another program, a remote model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CloudDoor {
    sees: CloudVisibility,
}

/// The strictest band that the user's configuration lets a cloud door see. Secret text is never an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloudVisibility {
    /// Public text only.
    #[default]
    Public,
    /// Private text too.
    Private,
}

impl CloudDoor {
    /// Creates a cloud door as the user's own configuration defines it.
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

    #[test]
    fn a_door_is_what_it_shows_at_most() {
        let private = CloudDoor::new(CloudVisibility::Private);
        assert_eq!(CloudDoor::default().strictest_band(), Band::Public);
        assert_eq!(private.strictest_band(), Band::Private);
        assert_eq!(LocalDoor.strictest_band(), Band::Secret);
        assert!(LocalDoor.is_local() && !CloudDoor::default().is_local() && !private.is_local());
    }
}
