//! What a page says is printed, against what is printed.

/// Numbers may differ by this part: the last digits depend on the machine.
const TOLERANCE: f64 = 0.005;

/// Lines that begin with one of these have sizes and times, which change with compiler and machine.
const VARYING: [&str; 1] = ["size"];

/// Compares line by line; the error shows the first line that differs.
pub fn compare(page: &str, printed: &str) -> Result<(), String> {
    let lines =
        |text: &str| -> Vec<String> { text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect() };
    let [page, printed] = [lines(page), lines(printed)];
    for (index, line) in page.iter().enumerate() {
        let other = printed.get(index).map_or("nothing", String::as_str);
        if !alike(line, other) {
            return Err(format!("the page says\n  {line}\nbut printed is\n  {other}"));
        }
    }
    match printed.get(page.len()) {
        Some(more) => Err(format!("the page ends, but printed is also\n  {more}")),
        None => Ok(()),
    }
}

/// Compares each table of a page with the one that has the same first line in the output; returns how many there were.
pub fn compare_tables(page: &str, printed: &str) -> Result<usize, String> {
    let printed = tables(printed);
    let mut compared = 0;
    for table in tables(page) {
        let Some(other) = printed.iter().find(|other| other[0] == table[0]) else { continue };
        compare(&table.join("\n"), &other.join("\n"))?;
        compared += 1;
    }
    Ok(compared)
}

/// Runs of lines that begin with a bar.
fn tables(text: &str) -> Vec<Vec<&str>> {
    let mut tables: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        match (is_row, is_inside) {
            (true, true) => tables.last_mut().expect("a table has begun").push(line),
            (true, false) => tables.push(vec![line]),
            (false, _) => {}
        }
        is_inside = is_row;
    }
    tables
}

/// The same words in the same order, and almost the same numbers.
fn alike(line: &str, other: &str) -> bool {
    let [words, others] = [line, other].map(|line| line.split_whitespace().collect::<Vec<_>>());
    let varies = words.first().is_some_and(|first| VARYING.contains(first));
    let same = |(word, other): (&&str, &&str)| match (number(word), number(other)) {
        (Some((value, digit)), Some((other, _))) => {
            varies || (value - other).abs() <= (TOLERANCE * value.abs()).max(1.01 * digit)
        }
        _ => word == other,
    };
    words.len() == others.len() && words.iter().zip(&others).all(same)
}

/// A number and how much its last digit means, nothing for a whole number; a comma or colon after it does not matter.
fn number(word: &str) -> Option<(f64, f64)> {
    let word = word.trim_end_matches([',', ':', ';', '°']);
    let value: f64 = word.parse().ok()?;
    if word.trim_start_matches(['+', '-']).chars().all(|letter| letter.is_ascii_digit()) {
        return Some((value, 0.0));
    }
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
    Some((value, 10f64.powi(exponent.parse::<i32>().ok()? - decimals)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_a_little_and_words_not_at_all() {
        assert!(compare("force: 9231.5 N, area 2.875e-03\n", "force: 9231.9 N, area 2.876e-03").is_ok());
        assert!(compare("force: 9231.5 N", "force: 9331.5 N").unwrap_err().contains("9331.5"));
        assert!(compare("force: 1 N", "torque: 1 N").is_err());
        assert!(compare("deviation -0.0 %", "deviation +0.0 %").is_ok());
        assert!(compare("a\nb", "a").unwrap_err().contains("nothing"));
        assert!(compare("a", "a\nb").unwrap_err().contains("b"));
    }

    #[test]
    fn sizes_vary() {
        assert!(compare("  size       1084 KiB", "  size       2000 KiB").is_ok());
        assert!(compare("  size       1084 KiB", "  size       big KiB").is_err());
    }

    #[test]
    fn tables_are_compared_by_their_first_line() {
        let page = "text\n| a | b |\n|---|---|\n| 1 | 2 |\n\n| c |\n";
        assert_eq!(compare_tables(page, "| a | b |\n|---|---|\n| 1 | 2 |\nend"), Ok(1));
        assert!(compare_tables(page, "| a | b |\n|---|---|\n| 1 | 3 |").unwrap_err().contains("| 1 | 3 |"));
        assert_eq!(compare_tables(page, "| d |"), Ok(0));
    }
}
