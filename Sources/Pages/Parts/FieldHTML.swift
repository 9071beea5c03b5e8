/// The HTML of a form's fields.
extension FormField: HTMLPart {
  var html: HTML {
    if let input { return html(of: input) }
    if let area { return html(of: area) }
    if let answers { return html(of: answers) }
    if let boxes { return html(of: boxes) }
    if let menu { return html(of: menu) }
    return list.map { html(of: $0) } ?? ""
  }

  private func html(of input: Input) -> HTML {
    let field: HTML = """
      <input id="\(id)" name="\(name)" type="\(input.type)" dir="auto"\(attribute: "inputmode", input.mode)\
      \(attribute: "min", input.minimum)\(attribute: "max", input.maximum)\(attribute: "step", input.step)\
      \(" required", if: input.isRequired)\(attribute: "maxlength", input.maxLength.map(String.init)) \
      autocomplete="\(input.isOwnName ? "name" : "off")"\(attribute: "list", input.suggestions.map { _ in "\(id)-names" }) value="\(value ?? "")"\
      \(attribute: "placeholder", input.placeholder)\(description)\(validity)>
      """
    let whole: HTML =
      input.unit.map { #"<div class="unit">\#(field)<span>\#($0)</span></div>"# } ?? field
    return block("\(whole)\(input.suggestions?.html(of: id))\(notes)\(chips?.html(filling: id))")
  }

  private func html(of area: Area) -> HTML {
    block(
      """
      <textarea dir="auto" id="\(id)" name="\(name)" rows="\(area.rows)"\(" required", if: area.isRequired)\
      \(attribute: "maxlength", area.maxLength.map(String.init))\(attribute: "placeholder", area.placeholder)\
      \(description)\(validity)>\(value ?? "")</textarea>\(notes)
      """)
  }

  private func html(of answers: Answers) -> HTML {
    let labels = answers.answers.map { answer -> HTML in
      """
      <label\(#" class="unset""#, if: answer.isUnset)><input type="radio" name="\(name)" value="\(answer.value)"\
      \(" required", if: answers.isRequired)\(" checked", if: answer.isChosen)>\(answer.label)</label>
      """
    }
    return group("segments\(answers.style)", labels)
  }

  private func html(of boxes: Boxes) -> HTML {
    let labels = boxes.boxes.map { box -> HTML in
      #"<label><input type="checkbox" name="\#(name)" value="\#(box.value)"\#(" checked", if: box.isChosen)>\#(box.label)</label>"#
    }
    return group("segments loose", labels)
  }

  private func html(of menu: Menu) -> HTML {
    let none = menu.none.map { #"<option value="">\#($0)</option>"# as HTML }
    return block(
      #"<select id="\#(id)" name="\#(name)"\#(description)\#(validity)>\#(none)\#(menu.options.html)</select>\#(notes)"#
    )
  }

  private func html(of list: ListField) -> HTML {
    let names = list.suggestions.map { _ in "\(id)-names" }
    let items = list.items.map { item -> HTML in
      """
      <input id="\(item.itemId)" name="\(name)" dir="auto" autocapitalize="none" autocomplete="off" \
      value="\(item.item)" aria-label="\(label) \(item.number)"\(attribute: "list", names)>
      """
    }
    return block(
      """
      \(items)<input id="\(id)" name="\(list.newName)" dir="auto" autocapitalize="none" autocomplete="off" \
      value="\(list.new ?? "")" aria-describedby="\(describedBy ?? "")"\(validity)\(attribute: "list", names)>\
      \(list.suggestions?.html(of: id))\(notes)
      """)
  }

  private func block(_ content: HTML) -> HTML {
    #"<div class="field"><label for="\#(id)">\#(label)</label>\#(content)</div>"#
  }

  private func group(_ style: String, _ labels: [HTML]) -> HTML {
    """
    <fieldset class="field"\(description)><legend>\(label)</legend><div class="\(style)">\(labels)</div>\
    \(notes)</fieldset>
    """
  }

  private var description: HTML { "\(attribute: "aria-describedby", describedBy)" }

  private var validity: HTML { #"\#(#" aria-invalid="true""#, if: error != nil)"# }

  /// The hint, and the error.
  private var notes: HTML {
    let hint = hint.map { #"<p class="hint" id="\#(id)-hint">\#($0)</p>"# as HTML }
    let error = error.map { #"<p class="error" id="\#(id)-error">\#($0)</p>"# as HTML }
    return "\(hint)\(error)"
  }
}

extension FormField.Suggestions {
  fileprivate func html(of id: String) -> HTML {
    let options = names.map { #"<option value="\#($0)"></option>"# as HTML }
    return #"<datalist id="\#(id)-names">\#(options)</datalist>"#
  }
}

extension FormField.Chips {
  fileprivate func html(filling id: String) -> HTML {
    let buttons = fills.map { fill -> HTML in
      #"<button class="\#(style)" type="button" data-fills="\#(id)" data-fill="\#(fill)">\#(fill)</button>"#
    }
    return """
      <div class="chips\(" slide", if: isFollowing) with-scripts"\
      \(attribute: "data-suggests", isFollowing ? id : nil)>\(buttons)</div>
      """
  }
}

extension FormRow: HTMLPart {
  var html: HTML {
    isPair ? "<div class=\"pair\">\n\(lines: fields)</div>" : "\(fields.map(\.html))"
  }
}
