//! SQL expressions of sources, inside a larger query.

use datafusion_sql::sqlparser::dialect::GenericDialect;
use datafusion_sql::sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

use super::super::session::Session;
use super::super::sql::told;
use super::dialect::Dialect;

/// The expression without comments and a name of its own, with names and texts quoted as `dialect` does.
pub(super) fn expression(text: &str, dialect: Dialect, session: &Session) -> Result<String, String> {
    let named = session.parse(text).map_err(|error| told(&error))?.alias.is_some();
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().map_err(|error| error.to_string())?;
    let mut parts: Vec<(String, bool)> = tokens.iter().map(|token| part(token, dialect)).collect();
    if named {
        // Its last words are AS and the name.
        for _ in 0..2 {
            let word = parts.iter().rposition(|(_, blank)| !blank).unwrap_or(0);
            parts.truncate(word);
        }
    }
    let whole: String = parts.into_iter().map(|(text, _)| text).collect();
    Ok(format!("({})", whole.trim()))
}

/// A token, and whether it only separates others.
fn part(token: &Token, dialect: Dialect) -> (String, bool) {
    let written = match token {
        // A comment would take what follows the expression with it.
        Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_)) => {
            " ".to_string()
        }
        Token::Word(word) if word.quote_style.is_some() => dialect.name(&word.value),
        Token::SingleQuotedString(text)
        | Token::EscapedStringLiteral(text)
        | Token::NationalStringLiteral(text)
        | Token::UnicodeStringLiteral(text) => dialect.text(text),
        Token::DollarQuotedString(text) => dialect.text(&text.value),
        other => other.to_string(),
    };
    (written, matches!(token, Token::Whitespace(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_stay_what_they_are_inside_a_query() {
        let session = Session::new();
        let duckdb = |text| expression(text, Dialect::DuckDb, &session).unwrap();
        assert_eq!(duckdb("n > 3 -- small"), "(n > 3)");
        assert_eq!(duckdb("n /* a */ > 3"), "(n   > 3)");
        assert_eq!(duckdb("n > 3 AS foo"), "(n > 3)");
        assert_eq!(duckdb("n > 3 as \"f o\" -- x"), "(n > 3)");
        assert_eq!(duckdb("CAST(n AS DOUBLE) > 3"), "(CAST(n AS DOUBLE) > 3)");
        assert_eq!(duckdb("a = '--''x' OR \"b\"\"c\" = 1"), "(a = '--''x' OR \"b\"\"c\" = 1)");
        let spark = expression("\"a b\" = 'it''s \\d'", Dialect::Spark, &session);
        assert_eq!(spark.unwrap(), r"(`a b` = 'it\'s \\d')");
        assert!(expression("n > (", Dialect::DuckDb, &session).is_err());
    }
}
