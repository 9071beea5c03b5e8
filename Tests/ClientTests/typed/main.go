// Reads lines with the name of a model and JSON, and writes the models as JSON again.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), "\t")
		model := models[name]()
		if err := json.Unmarshal([]byte(text), model); err != nil {
			panic(name + ": " + err.Error())
		}
		again, err := json.Marshal(model)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		fmt.Printf("%s\t%s\n", name, again)
	}
}
