internal import Leaflog

/// The fields of a daily log; each may be left unset.
struct LogForm {
  let sleepHours: Field
  let exerciseMinutes: Field
  let notes: Field
  let exerciseType: [Radio]
  let sleepQuality: [Radio]
  let stress: [Radio]
  let sugar: [Radio]
  let alcohol: [Radio]
  let officeDay: [Radio]
  let sickContact: [Radio]
  let humidifier: [Radio]

  init(_ log: DailyLog, notes: String?, _ refusal: Refusal?, _ words: Words) {
    let fields = FieldReader(refusal, words)
    func yesNo(_ name: String, _ stored: Bool?) -> [Radio] {
      fields.radios(name, stored.map { "\($0)" }, ["true", "false"]) { words["yesNo.\($0)"] }
    }
    func steps(_ name: String, _ stored: Int?) -> [Radio] {
      fields.radios(name, stored.map { "\($0)" }, (1...5).map { "\($0)" }) { $0 }
    }
    sleepHours = fields.field("sleepHours", log.sleepHours.map { "\($0)" })
    exerciseMinutes = fields.field("exerciseMinutes", log.exerciseMinutes.map { "\($0)" })
    self.notes = fields.field("notes", notes)
    exerciseType = fields.radios(
      "exerciseType", log.exerciseType?.rawValue, DailyLog.ExerciseType.allCases.map(\.rawValue)
    ) { words["exercise.\($0)"] }
    sleepQuality = steps("sleepQuality", log.sleepQuality)
    stress = steps("stress", log.stress)
    sugar = fields.radios(
      "sugar", log.sugar?.rawValue, DailyLog.SugarIntake.allCases.map(\.rawValue)
    ) { words["amount.\($0)"] }
    alcohol = fields.radios(
      "alcohol", log.alcohol?.rawValue, DailyLog.Alcohol.allCases.map(\.rawValue)
    ) { words["alcohol.\($0)"] }
    officeDay = yesNo("officeDay", log.officeDay)
    sickContact = yesNo("sickContact", log.sickContact)
    humidifier = yesNo("humidifier", log.humidifier)
  }
}
