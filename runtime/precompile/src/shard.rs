//! One part of a library of several: by content, so that any machine finds out alone which
//! pipelines are its own.

use std::str::FromStr;

/// Part `index` of `count`; indices begin at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// How many parts.
    pub count: u64,
}

/// The variables by which schedulers tell a task its number, the number of tasks, and the first
/// number.
const SCHEDULERS: [(&str, &str, &str, &str); 3] = [
    // Kubernetes sets the index in Indexed Jobs; the number of completions is for the job to pass.
    ("Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", ""),
    (
        "Slurm",
        "SLURM_ARRAY_TASK_ID",
        "SLURM_ARRAY_TASK_COUNT",
        "SLURM_ARRAY_TASK_MIN",
    ),
    (
        "AWS Batch",
        "AWS_BATCH_JOB_ARRAY_INDEX",
        "AWS_BATCH_JOB_ARRAY_SIZE",
        "",
    ),
];

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        let (index, count) = numbers.ok_or("write i/n, like 0/8 to 7/8")?;
        Shard::new(index, count)
    }
}

impl Shard {
    fn new(index: u64, count: u64) -> Result<Self, String> {
        if index < count {
            Ok(Shard { index, count })
        } else {
            Err(format!(
                "there is no part {index} of {count}: the first one is 0"
            ))
        }
    }

    /// Returns whether a pipeline with this content belongs to the part.
    pub fn has(&self, content: &[u8; 32]) -> bool {
        let (first, _) = content.split_at(8);
        let number = first.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
        number % self.count == self.index
    }

    /// Returns the part that a scheduler gives to this process, with its name; `None` without one.
    ///
    /// # Errors
    ///
    /// A variable is missing or no number, or the tasks are not numbered one by one.
    pub fn from_scheduler(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<(Self, &'static str)>, String> {
        for (scheduler, index, count, first) in SCHEDULERS {
            let Some(own) = variable(index) else {
                continue;
            };
            let number = |name: &str, text: Option<String>| {
                let number = text.and_then(|text| text.trim().parse::<u64>().ok());
                number.ok_or_else(|| format!("{scheduler} sets {index}, but {name} is no number"))
            };
            let own = number(index, Some(own))?;
            let count = number(count, variable(count))?;
            let first = match first {
                "" => 0,
                name => number(name, variable(name))?,
            };
            // Slurm counts from any number, and may leave numbers out (`--array=0-8:2`).
            let place = own
                .checked_sub(first)
                .ok_or("a task before the first one")?;
            let shard = Shard::new(place, count)
                .map_err(|error| format!("{scheduler}: {error}; number tasks without gaps"))?;
            return Ok(Some((shard, scheduler)));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheduled(variables: &[(&str, &str)]) -> Result<Option<(Shard, &'static str)>, String> {
        Shard::from_scheduler(|name| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_part_is_written_as_a_fraction() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for wrong in ["3/3", "0/0", "1", "a/b", "-1/2", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_content_is_in_exactly_one_part() {
        for n in 0..100u32 {
            let content = *blake3::hash(&n.to_le_bytes()).as_bytes();
            let parts = (0..7).filter(|index| Shard::new(*index, 7).unwrap().has(&content));
            assert_eq!(parts.count(), 1);
        }
    }

    #[test]
    fn schedulers_say_the_part() {
        let part = |index, count| Shard { index, count };
        assert_eq!(scheduled(&[]), Ok(None));
        let kubernetes = [("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "5")];
        assert_eq!(scheduled(&kubernetes), Ok(Some((part(2, 5), "Kubernetes"))));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "11"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
        ];
        assert_eq!(scheduled(&slurm), Ok(Some((part(1, 4), "Slurm"))));
        let batch = [
            ("AWS_BATCH_JOB_ARRAY_INDEX", "0"),
            ("AWS_BATCH_JOB_ARRAY_SIZE", "2"),
        ];
        assert_eq!(scheduled(&batch), Ok(Some((part(0, 2), "AWS Batch"))));
        assert!(
            scheduled(&kubernetes[..1]).is_err(),
            "the number of parts is missing"
        );
        let gaps = [
            ("SLURM_ARRAY_TASK_ID", "8"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "0"),
        ];
        assert!(scheduled(&gaps).unwrap_err().contains("without gaps"));
    }
}
