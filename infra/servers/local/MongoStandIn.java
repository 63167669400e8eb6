// mongo-java-server in memory. It announces the wire version that driver 7 asks for and answers the driver's greeting; sessions
// and transactions are not announced, because they would be accepted and not kept.
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

public class MongoStandIn {
  static final int WIRE_VERSION = 9;

  static class Backend extends MemoryBackend {
    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      boolean isGreeting = command.equals("hello") || command.equalsIgnoreCase("ismaster");
      if (!isGreeting) return super.handleCommand(channel, database, command, query);
      Document answer = super.handleCommand(channel, database, "ismaster", new Document("ismaster", 1));
      answer.put("maxWireVersion", WIRE_VERSION);
      answer.put("isWritablePrimary", true);
      return answer;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Backend backend = new Backend();
    backend.version(ServerVersion.MONGO_5_0);
    new MongoServer(backend).bind(arguments[0], Integer.parseInt(arguments[1]));
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
