internal import Leaflog

/// The fields of a daily log: each may be left unsaid.
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

  init(_ log: DailyLog, notes: String?, typed: TypedForm?, _ words: Words) {
    func field(_ name: String, _ stored: String?) -> Field {
      Field(typed.map { $0[name] } ?? stored, error: typed?.errors[name])
    }
    func radios(
      _ name: String, _ stored: String?, _ values: [String], label: (String) -> String
    ) -> [Radio] {
      let chosen = (typed.map { $0[name] } ?? stored) ?? ""
      let unset = Radio(
        value: "", label: words["notSaid"], isChosen: chosen.isEmpty, isUnset: true)
      return [unset]
        + values.map {
          Radio(value: $0, label: label($0), isChosen: $0 == chosen, isUnset: false)
        }
    }
    func yesNo(_ name: String, _ stored: Bool?) -> [Radio] {
      radios(name, stored.map { "\($0)" }, ["true", "false"]) { words["yesNo.\($0)"] }
    }
    let steps = (1...5).map { "\($0)" }
    sleepHours = field("sleepHours", log.sleepHours.map { "\($0)" })
    exerciseMinutes = field("exerciseMinutes", log.exerciseMinutes.map { "\($0)" })
    self.notes = field("notes", notes)
    exerciseType = radios(
      "exerciseType", log.exerciseType?.rawValue, DailyLog.ExerciseType.allCases.map(\.rawValue)
    ) { words["exercise.\($0)"] }
    sleepQuality = radios("sleepQuality", log.sleepQuality.map { "\($0)" }, steps) { $0 }
    stress = radios("stress", log.stress.map { "\($0)" }, steps) { $0 }
    sugar = radios("sugar", log.sugar?.rawValue, DailyLog.SugarIntake.allCases.map(\.rawValue)) {
      words["amount.\($0)"]
    }
    alcohol = radios("alcohol", log.alcohol?.rawValue, DailyLog.Alcohol.allCases.map(\.rawValue)) {
      words["alcohol.\($0)"]
    }
    officeDay = yesNo("officeDay", log.officeDay)
    sickContact = yesNo("sickContact", log.sickContact)
    humidifier = yesNo("humidifier", log.humidifier)
  }
}
