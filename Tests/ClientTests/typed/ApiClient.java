package generated.client;

/** The part of a generated client that its models need for queries, which they are not used for here. */
public class ApiClient {
    public static String valueToString(Object value) {
        return String.valueOf(value);
    }

    public static String urlEncode(String text) {
        throw new UnsupportedOperationException(text);
    }
}
