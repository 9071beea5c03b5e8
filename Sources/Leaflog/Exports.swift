// The public API uses the model's types, such as entries, plants and days.
@_exported public import DiaryModel
