//! Notes with a day, and what they say of days: a line of words, `@` and what surrounds them; below it the sentences.

use super::super::{Ground, Support, judge};

/// Each sentence of a table with whether it is kept.
fn judged(table: &str) -> Vec<(String, bool)> {
    let mut ground = Ground::read("", &[], &[]);
    let mut found = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty()) {
        if let Some(sentence) = line.strip_prefix("    ") {
            let kept = judge(sentence, &[&ground]).support != Support::Unsupported;
            found.push((sentence.to_owned(), kept));
        } else {
            let (words, context) = line.split_once(" @ ").unwrap_or((line, ""));
            let context: Vec<String> = context.split(" / ").map(str::to_owned).collect();
            ground = Ground::read(words, &context, &[]);
        }
    }
    found
}

#[test]
fn a_day_counted_from_the_notes_is_said_by_its_date() {
    let lost: Vec<String> = judged(SAID).into_iter().filter(|(_, kept)| !kept).map(|(said, _)| said).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn another_day_than_the_one_that_is_meant_is_not_said() {
    let found: Vec<String> = judged(UNSAID).into_iter().filter(|(_, kept)| *kept).map(|(said, _)| said).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_day_of_the_week_follows_from_the_date() {
    let days =
        [(2000, 1, 1, 6), (2024, 2, 29, 4), (2025, 3, 20, 4), (2025, 5, 13, 2), (1900, 3, 1, 4), (2025, 1, 5, 7)];
    for (year, month, day, expect) in days {
        assert_eq!(super::super::dates::weekday_of(year, month, day), Some(expect), "{year}-{month}-{day}");
    }
}

const SAID: &str = r#"
Yesterday the new boiler was put in. @ House / Heating / 2025-03-20
    The new boiler was put in on 19 March 2025.
    The boiler was put in on Wednesday.
Interview at Corvid moved to next Tuesday, 10:00. @ Job hunt / 2025-05-09
    The interview at Corvid moved to 13 May.
Deadline for the grant: end of March @ Grant application / 2025-01-14
    The deadline for the grant is the end of March 2025.
Last month I spent 212 € on books (!!) @ Money / 2024-12-03
    In November 2024 I spent 212 € on books.
Rent goes up on the first. @ Flat / Letter from landlord / 2025-08-18
    The rent goes up on 1 September 2025.
Rent goes up on the first. @ Flat / Letter from landlord / 2025-08-05
    The rent goes up on 1 September 2025.
Release: Q3 2025 @ Project Lantern / Milestones
    Lantern's release is between July and September 2025.
    Lantern's release is in the third quarter of 2025.
Met Ines on the 4th; two days later she flew home. @ Diary October 2023
    She flew home on 6 October 2023.
    I met Ines on 4 October 2023.
Certificate expires 11/30/2025 @ nginx / TLS
    The certificate expires on the last day of November 2025.
Planted the garlic on Sunday. @ Garden / 2024-10-22
    The garlic was planted on 20 October 2024.
Tomorrow the Schmidts arrive, they stay until Friday. @ 2025-07-21
    The Schmidts arrive on 22 July and stay until the 25th.
Course runs Mon–Thu, 9–12 @ Spanish course / Timetable
    The course runs from Monday to Thursday.
Next review: first week of the new year @ Goals / 2024-12-28
    The review is in the first week of 2025.
Call with Tokyo at 23:30 tonight @ 2025-04-10 / Work
    The call with Tokyo is on 10 April.
Last Friday the auditor found two missing invoices. @ Audit / 2025-10-14
    On 10 October the auditor found two missing invoices.
    On Friday, 10 October, the auditor found two missing invoices.
The flood was two years ago today. @ Diary / 2023-07-15
    The flood was on 15 July 2021.
Exam on Wed, results on the Monday after @ Statistics II / 2025-02-03
    The exam is on 5 February 2025, and results are on the 10th.
Standup shifted to 9:45 starting on Monday @ Team notes / 2025-01-09
    From 13 January the standup is shifted to 9:45.
We signed the contract this morning. @ Notary / 2023-11-30
    We signed the contract on 30 November 2023.
This year the garden gets a pond. @ Garden / 2025-02-11
    In 2025 the garden gets a pond.
Olga's birthday is on Christmas Eve. @ Olga
    Olga's birthday is on 24 December.
Started: 2025-05-13 @ Job
    Started on Tuesday.
The review was held on 2025-05-13. @ Job
    The review was held on Tuesday.
The review was held on 2025-05-03. @ Job
    The review was held in early May 2025.
passport expires 06/2026 @ Admin
    The passport expires in June 2026.
- Elin: budget by Thu @ Steering group 7 May / Actions
    Elin has the budget by Thursday.
The grant report must be handed in by Friday. @ Grant / 2025-05-13
    The grant report has to be handed in by 16 May 2025.
Mia moved out a year ago. @ Diary / 2025-05-13
    Mia moved out in May 2024.
Tomorrow we go to the lake. @ 2025-03-14 / Diary
    On 15 March 2025 we go to the lake.
    We go to the lake on Saturday.
House sold in Q4 @ Diary / 2025-05-14
    The house was sold in the fourth quarter of 2024.
Lea ill since Monday @ Diary / 2025-05-14
    Lea is ill since 12 May 2025.
Bought the ticket yesterday, concert next month @ Diary / 2025-05-14
    The concert is in June 2025.
Called Ben, he can't come on Friday. @ Diary / 2025-03-12
    I called Ben on 12 March.
"#;

const UNSAID: &str = r#"
Yesterday the new boiler was put in. @ House / Heating / 2025-03-20
    The new boiler was put in on 20 March 2025.
    The new boiler was put in on 18 March 2025.
    The new boiler was put in on 19 April 2025.
    The new boiler was put in on 19 March 2024.
    The new boiler was put in on Thursday.
    The new boiler was put in on Tuesday, 19 March 2025.
    The new boiler was put in since 19 March 2025.
    The new boiler was put in by 19 March 2025.
Yesterday the new boiler was put in. @ House / Heating
    The new boiler was put in on 19 March 2025.
Interview at Corvid moved to next Tuesday, 10:00. @ Job hunt / 2025-05-09
    The interview at Corvid moved to 15 May.
    The interview at Corvid moved to 6 May.
    The interview at Corvid moved to 20 May.
    The interview at Corvid moved to 9 May.
    The interview at Corvid moved to Wednesday.
    The interview at Corvid moved from 13 May.
Deadline for the grant: end of March @ Grant application / 2025-01-14
    The deadline for the grant is the end of May 2025.
    The deadline for the grant is the middle of March 2025.
    The deadline for the grant is mid-March 2025.
    The deadline for the grant is early March 2025.
    The deadline for the grant is the end of March 2024.
    The deadline for the grant is the end of March 2026.
    The deadline for the grant is 14 January 2025.
Last month I spent 212 € on books (!!) @ Money / 2024-12-03
    In December 2024 I spent 212 € on books.
    In October 2024 I spent 212 € on books.
    In November 2023 I spent 212 € on books.
    On 3 November 2024 I spent 212 € on books.
    On 3 December 2024 I spent 212 € on books.
    I spent 212 € on books since November 2024.
Rent goes up on the first. @ Flat / Letter from landlord / 2025-08-18
    The rent goes up on 1 August 2025.
    The rent goes up on 1 October 2025.
    The rent goes up until 1 September 2025.
Rent goes up on the first. @ Flat / Letter from landlord / 2025-08-05
    The rent goes up on 1 August 2025.
Rent goes up on the first. @ Flat / Letter from landlord
    The rent goes up on 1 September 2025.
Rent goes up on the first floor. @ Flat / Letter from landlord / 2025-08-18
    The rent goes up on 1 September 2025.
Release: Q3 2025 @ Project Lantern / Milestones
    Lantern's release is between April and June 2025.
    Lantern's release is between July and September 2024.
    Lantern's release is in the second quarter of 2025.
    Lantern's release is in the third quarter of 2026.
    Lantern's release is in Q2 2025.
    Lantern's release is in July 2025.
    Lantern's release is in September 2025.
    Lantern's release is in early 2025.
    Lantern's release is at the end of 2025.
    Lantern's release is between July and August 2025.
Met Ines on the 4th; two days later she flew home. @ Diary October 2023
    She flew home on 2 October 2023.
    She flew home on 4 October 2023.
    Ines flew home on 4 October 2023.
    I met Ines on 6 October 2023.
    She flew home on 6 November 2023.
    She flew home on 6 October 2022.
Met Ines on the 4th; two days later she flew home. @ Diary
    She flew home on 6 October 2023.
Certificate expires 11/30/2025 @ nginx / TLS
    The certificate expires on the last day of October 2025.
    The certificate expires on the first day of November 2025.
    The certificate expires in mid-November 2025.
    The certificate expires in early November 2025.
Certificate expires 11/29/2025 @ nginx / TLS
    The certificate expires on the last day of November 2025.
Fever since the day before yesterday, today 38.4 @ Sick log / 2025-02-12
    The fever has been there since 12 February.
    The fever began on 12 February.
    The fever was there until 10 February.
    On 10 February the fever was 38.4.
    On 11 February the fever was 38.4.
The dentist is in three weeks, 8 am @ 2025-09-01
    The dentist is on 21 September.
    The dentist is on 23 September.
    The dentist is on 1 September.
    The dentist was on 11 August.
    The dentist is on 22 October.
Planted the garlic on Sunday. @ Garden / 2024-10-22
    The garlic was planted on 27 October 2024.
    The garlic was planted on 13 October 2024.
    The garlic was planted on 19 October 2024.
    The garlic was planted on 22 October 2024.
    The garlic was planted on Monday.
    The garlic was planted on Tuesday.
Planted the garlic on Sunday. @ Garden
    The garlic was planted on 20 October 2024.
booster due again in a year @ Pixel (cat) / 2024-06-14
    The booster is due in December 2024.
    The booster is due in June 2024.
    The booster is due in June 2026.
    The booster is due in July 2025.
    The booster was due in June 2023.
Tomorrow the Schmidts arrive, they stay until Friday. @ 2025-07-21
    The Schmidts arrive on 21 July.
    The Schmidts arrive on 25 July.
    The Schmidts stay until 22 July.
    The Schmidts stay until 18 July.
    The Schmidts stay from 25 July.
    The Schmidts stay on 25 July.
    The Schmidts stay since 25 July.
    The Schmidts stay until 24 July.
Course runs Mon–Thu, 9–12 @ Spanish course / Timetable
    The course runs from Monday to Friday.
    The course runs from Tuesday to Thursday.
    The course runs from Monday to Tuesday.
    The course runs from Thursday to Monday.
Next review: first week of the new year @ Goals / 2024-12-28
    The review is in the first week of 2024.
    The review is in the first week of 2026.
    The review is in the last week of 2025.
    The review is in the second week of 2025.
Next review: first week of the new year @ Goals / 2025-06-28
    The review is in the first week of 2026.
Call with Tokyo at 23:30 tonight @ 2025-04-10 / Work
    The call with Tokyo is on 11 April.
    The call with Tokyo is on 9 April.
Last Friday the auditor found two missing invoices. @ Audit / 2025-10-14
    On 17 October the auditor found two missing invoices.
    On 14 October the auditor found two missing invoices.
    On 11 October the auditor found two missing invoices.
    On 3 October the auditor found two missing invoices.
    On Friday, 17 October, the auditor found two missing invoices.
    On Thursday, 10 October, the auditor found two missing invoices.
    By 10 October the auditor found two missing invoices.
Warranty: 24 months from 15 Jan 2024 @ Washing machine
    The warranty is until mid-January 2025.
    The warranty is until late January 2026.
    The warranty is from January 2026.
The flood was two years ago today. @ Diary / 2023-07-15
    The flood was on 15 July 2023.
    The flood was on 15 July 2022.
    The flood was on 14 July 2021.
The flood was two years ago. @ Diary / 2023-07-15
    The flood was on 15 July 2021.
Exam on Wed, results on the Monday after @ Statistics II / 2025-02-03
    The exam is on 6 February 2025.
    The exam is on 10 February 2025.
    The exam is on 12 February 2025.
    The exam is on 3 February 2025.
    The results are on 5 February 2025.
    The results are on 3 February 2025.
    The results are on 17 February 2025.
    The exam is on Thursday.
Standup shifted to 9:45 starting on Monday @ Team notes / 2025-01-09
    From 20 January the standup is shifted to 9:45.
    From 6 January the standup is shifted to 9:45.
    From 9 January the standup is shifted to 9:45.
    Until 13 January the standup is shifted to 9:45.
We signed the contract this morning. @ Notary / 2023-11-30
    We signed the contract on 29 November 2023.
    We signed the contract on 1 December 2023.
This year the garden gets a pond. @ Garden / 2025-02-11
    In 2024 the garden gets a pond.
    In 2026 the garden gets a pond.
    In February 2025 the garden gets a pond.
Next year the garden gets a pond. @ Garden / 2025-02-11
    In 2025 the garden gets a pond.
Last year the garden got a pond. @ Garden / 2025-02-11
    In 2025 the garden got a pond.
This month the garden gets a pond. @ Garden / 2025-02-11
    In March 2025 the garden gets a pond.
Olga's birthday is on Christmas Eve. @ Olga
    Olga's birthday is on 25 December.
    Olga's birthday is on 31 December.
The review was held on 2025-05-13. @ Job
    The review was held on Monday.
    The review was held on Wednesday.
The review was held on 2025-05-03. @ Job
    The review was held in late May 2025.
    The review was held in early April 2025.
The review was held on 2025-05-10. @ Job
    The review was held in mid-May 2025.
The review was held on 2025-05-21. @ Job
    The review was held at the end of May 2025.
passport expires 06/2026 @ Admin
    The passport expires in July 2026.
    The passport expires in June 2025.
- Elin: budget by Thu @ Steering group 7 May / Actions
    Elin has the budget by Tuesday.
- Elin: budget by Thu @ Steering group / 2025-05-05
    Elin has the budget on Thursday.
    Elin has the budget since 8 May.
I wrote yesterday that the exam is on Monday. @ 2025-03-20
    The exam was on 19 March.
    The exam is on 19 March.
    I wrote on 24 March that the exam is on Monday.
    I wrote on 17 March.
Called Ben, he can't come on Friday. @ Diary / 2025-03-12
    Ben can't come on 7 March.
    Ben can't come on 12 March.
    I called Ben on 14 March.
    I called Ben on 7 March.
Booked the dentist on Friday. @ Diary / 2025-03-12
    I booked the dentist on 7 March.
    The dentist is on 7 March.
Meeting postponed until Friday. @ Diary / 2025-03-12
    The meeting was postponed until 7 March.
    The meeting was postponed until 12 March.
The report must be handed in by Friday. @ Diary / 2025-03-12
    The report must be handed in by 7 March.
    The report must be handed in on 14 March.
    The report must be handed in after 14 March.
We agreed to meet on Friday. @ Diary / 2025-03-12
    We agreed to meet on 7 March.
Invited Eva for dinner on Friday. @ Diary / 2025-03-12
    I invited Eva for dinner on 7 March.
We met in the cafe on Wednesday. @ Diary / 2025-03-12
    We met in the cafe on 12 March.
    We met in the cafe on 5 March.
We meet in the cafe on Wednesday. @ Diary / 2025-03-12
    We meet in the cafe on 19 March.
The shop was closed until Friday. @ Diary / 2025-03-12
    The shop was closed until 14 March.
The shop is closed until Friday. @ Diary / 2025-03-12
    The shop is closed until 7 March.
    The shop is closed from 14 March.
    The shop is closed since 14 March.
The meeting is on the last Friday of the month. @ Diary / 2025-03-12
    The last meeting was on 7 March.
    The meeting is on 7 March.
The meeting is every Friday. @ Diary / 2025-03-12
    The meeting is on 14 March.
Tom wrote: "I come tomorrow." @ Diary / 2025-03-12
    Tom comes on 13 March.
Mia moved out a year ago. @ Diary / 2025-05-13
    In April 2025 Mia moved out.
    Mia moved out in June 2024.
    Mia moved out on 13 May 2024.
Mia moved out a week ago. @ Diary / 2025-05-13
    Mia moved out on 6 May 2025.
Mia moved out last week. @ Diary / 2025-05-13
    Mia moved out on 6 May 2025.
Mia moved out last month. @ Diary / 2025-05-13
    Mia moved out in May 2025.
Mia moved out today. @ Diary / 2025-05-13
    Mia moved out yesterday.
Mia has lived there since yesterday, until today alone. @ Diary / 2025-05-13
    Mia has lived there since 13 May.
The trip is in June. @ Diary / Plans
    The trip is in June 2025.
The trip was in June. @ Diary / 2025-05-13
    The trip was in June 2025.
    The trip was in June 2023.
Yesterday Ben called. The boiler was put in today. @ Diary / 2025-03-12
    The boiler was put in on 11 March.
    Ben called on 12 March.
    Ben called on 12 March and the boiler was put in on 11 March.
Anna came yesterday and Ben comes tomorrow. @ Diary / 2025-03-12
    Anna came on 11 March and Ben comes on 11 March.
    Anna came on 13 March.
    Ben comes on 11 March.
Ada said she moves out tomorrow @ Diary / 2025-05-14
    Ada moved out on 14 May 2025.
Tim will arrive on Sunday @ Diary / 2025-05-14
    Tim arrived on 11 May 2025.
Wrote the invitations for the wedding on Saturday @ Diary / 2025-05-14
    The wedding is on 10 May 2025.
Nobody sold the car on Friday @ Diary / 2025-05-14
    The car was sold on 16 May 2025.
The parcel should come tomorrow. It did not. @ Diary / 2025-05-14
    The parcel came on 15 May 2025.
The trip was last September @ Diary / 2025-05-14
    The trip was in August 2024.
Pay the rent on the first @ Diary / 2025-05-14
    The rent was paid on 1 May 2025.
House sold in Q4 @ Diary / 2025-05-14
    The house was sold in 2025.
Send the invoice by Friday @ Diary / 2025-05-14
    The invoice was sent on 9 May 2025.
    The invoice must be sent by 9 May 2025.
The invoice was due yesterday. @ Diary / 2025-05-14
    The invoice is due on 15 May 2025.
Max called the day after tomorrow's date was set. @ Diary / 2025-05-14
    Max called on 13 May 2025.
Saw the ad for the play next Wednesday of June @ Diary / 2025-05-14
    The play is on 21 May 2025.
Kim starts on the second Monday of next month @ Diary / 2025-05-14
    Kim starts on 2 June 2025.
Kim starts next month @ Diary / 2025-05-14
    Kim starts in May 2025.
The Sun rose late @ Diary / 2025-05-14
    The sun rose on Sunday.
Ron Sat down @ Diary / 2025-05-14
    Ron sat down on Saturday.
Shop: Wed market only from June, opens Thu @ Diary / 2025-05-14
    The shop opens on Wednesday.
The visa runs for a year from 14 June 2025 @ Diary / 2025-05-14
    The visa runs until 14 May 2026.
The visa: 12 months from 14 June 2025 @ Diary / 2025-05-14
    The visa ends on 14 June 2025.
Tests were run a week ago, the day after Tom came back @ Diary / 2025-05-14
    The tests were run on 7 May 2025.
Bought the ticket yesterday, concert next month @ Diary / 2025-05-14
    The concert was on 13 May 2025.
    The ticket was bought in June 2025.
    The concert is on 14 May 2025.
Primed the wall on Monday and painted it the next day. @ Diary / 2025-05-14
    The wall was painted on 12 May 2025.
    The wall was primed on 13 May 2025.
Lea ill since Monday @ Diary / 2025-05-14
    Lea is ill since 14 May 2025.
    Lea is ill since 19 May 2025.
    Lea was ill until 12 May 2025.
The lease ends at the end of 2025 @ Flat
    The lease ends in early 2025.
    The lease ends in January 2025.
    The lease ends on 31 December 2025.
    The lease ends in December 2025.
The lease ends at the end of March 2025 @ Flat
    The lease ends on 31 March 2025.
"#;

proptest::proptest! {
    #[test]
    fn any_text_can_be_resolved(text in r#"(\PC|[0-9]{1,6}|yesterday|on the first|two|weeks|later|Friday|last |next |ago|of|Q3|"|-77-77| ){0,30}"#) {
        let anchor = super::Anchor::of(&["2025-03-20".to_owned()]);
        super::dated(0, &text, &anchor);
    }
}
