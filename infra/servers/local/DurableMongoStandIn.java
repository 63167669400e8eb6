// mongo-java-server with its data in a file: what it has answered is there again after a kill. Beside MongoStandIn.java, because
// the two back ends come with different jars.
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.Set;
import org.h2.mvstore.MVStore;

public class DurableMongoStandIn {
  static final int WIRE_VERSION = 9;
  static final Set<String> READS = Set.of("find", "getMore", "aggregate", "count", "ping", "listCollections", "listIndexes");

  static class Backend extends H2Backend {
    Backend(MVStore store) {
      super(store);
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      boolean isGreeting = command.equals("hello") || command.equalsIgnoreCase("ismaster");
      if (isGreeting) {
        Document answer = super.handleCommand(channel, database, "ismaster", new Document("ismaster", 1));
        answer.put("maxWireVersion", WIRE_VERSION);
        answer.put("isWritablePrimary", true);
        return answer;
      }
      Document answer = super.handleCommand(channel, database, command, query);
      // Written before it is answered; a process that is killed leaves what the operating system has.
      if (!READS.contains(command)) commit();
      return answer;
    }
  }

  public static void main(String[] arguments) throws Exception {
    MVStore store = new MVStore.Builder().fileName(arguments[2]).autoCommitDisabled().open();
    Backend backend = new Backend(store);
    backend.version(ServerVersion.MONGO_5_0);
    new MongoServer(backend).bind(arguments[0], Integer.parseInt(arguments[1]));
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
