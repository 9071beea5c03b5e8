import generated.client.JSON;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Reads lines with the name of a model and JSON, and writes the models as JSON again. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", 2);
            Object model = JSON.mapper.readValue(parts[1], Class.forName("generated." + parts[0]));
            System.out.println(parts[0] + "\t" + JSON.mapper.writeValueAsString(model));
        }
    }
}
