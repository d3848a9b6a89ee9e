//! Setters of options.

/// Writes the documented setters of an options struct: `with_x(x: T);` sets the field `x`, and `with_x(x: T) = value;` sets it
/// to a value made from the argument.
#[doc(hidden)]
#[macro_export]
macro_rules! option_setters {
    ($options:ty { $($(#[$doc:meta])* $setter:ident($field:ident: $type:ty) $(= $value:expr)?;)+ }) => {
        impl $options {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $setter(self, $field: $type) -> Self {
                    $(let $field = $value;)?
                    Self { $field, ..self }
                }
            )+
        }
    };
}
