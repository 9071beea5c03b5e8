package generated.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;

/** The part of a generated client that its models need, with Jackson as it is by default: strict about unknown fields. */
public class JSON {
    public static final ObjectMapper mapper = new ObjectMapper();

    public static JSON getDefault() {
        return new JSON();
    }

    public ObjectMapper getMapper() {
        return mapper;
    }

    public static boolean isInstanceOf(Class<?> model, Object value, Set<Class<?>> visited) {
        return model.isInstance(value);
    }

    public static void registerDescendants(Class<?> model, Map<String, Class<?>> descendants) {
    }
}
