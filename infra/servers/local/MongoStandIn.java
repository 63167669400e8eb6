// mongo-java-server, in memory or with its data in a file: what it has answered then is there again after a kill. It announces the
// wire version that driver 7 asks for and answers the driver's greeting; sessions and transactions are not announced, because they
// would be accepted and not kept.
import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.h2.mvstore.MVStore;

public class MongoStandIn {
  static final int WIRE_VERSION = 9;
  static final Set<String> READS = Set.of("find", "getMore", "aggregate", "count", "ping", "listCollections", "listIndexes");

  /**
   * The index of `_id` for filters that ask for more beside it, as MongoDB uses it: the library would read the whole collection. What is
   * found is held against the whole filter by the collection.
   */
  static class IdIndex extends Index<Object> {
    final Index<Object> index;

    IdIndex(Index<Object> index) {
      super(index.getName(), index.getKeys(), false);
      this.index = index;
    }

    static Document idOf(Document query) {
      return new Document("_id", query.get("_id"));
    }

    @Override
    public boolean canHandle(Document query) {
      return query.containsKey("_id") && index.canHandle(idOf(query));
    }

    @Override
    public Iterable<Object> getPositions(Document query) {
      return index.getPositions(idOf(query));
    }

    @Override
    public Object getPosition(Document document) {
      return index.getPosition(document);
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Object> collection) {
      index.checkAdd(document, collection);
    }

    @Override
    public void add(Document document, Object position, MongoCollection<Object> collection) {
      index.add(document, position, collection);
    }

    @Override
    public Object remove(Document document) {
      return index.remove(document);
    }

    @Override
    public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
      index.checkUpdate(before, after, collection);
    }

    @Override
    public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
      index.updateInPlace(before, after, position, collection);
    }

    @Override
    public long getCount() {
      return index.getCount();
    }

    @Override
    public long getDataSize() {
      return index.getDataSize();
    }

    @Override
    public void drop() {
      index.drop();
    }

    @Override
    public boolean isUnique() {
      return index.isUnique();
    }
  }

  static class Database extends H2Database {
    Database(String name, MVStore store, CursorRegistry cursors) {
      super(name, store, cursors);
    }

    @Override
    protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean isSparse) {
      Index<Object> index = super.openOrCreateUniqueIndex(collection, name, keys, isSparse);
      boolean isOfIds = keys.size() == 1 && keys.get(0).getKey().equals("_id");
      return isOfIds ? new IdIndex(index) : index;
    }
  }

  static class Backend extends H2Backend {
    final boolean isDurable;
    /**
     * Held by each command that writes, and by a commit alone: it would write half of what another one is at, a document without its place
     * in the index, and after a kill that document could be neither found nor written any more.
     */
    final ReadWriteLock writing = new ReentrantReadWriteLock(true);

    Backend(MVStore store, boolean isDurable) {
      super(store);
      this.isDurable = isDurable;
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return new Database(name, getMvStore(), getCursorRegistry());
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
      if (!isDurable || READS.contains(command)) return super.handleCommand(channel, database, command, query);
      Document answer = holding(writing.readLock(), () -> super.handleCommand(channel, database, command, query));
      // Written before it is answered; a process that is killed leaves what the operating system has.
      return holding(writing.writeLock(), () -> {
        commit();
        return answer;
      });
    }

    static Document holding(Lock lock, Supplier<Document> task) {
      lock.lock();
      try {
        return task.get();
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    boolean isDurable = arguments.length > 2;
    MVStore.Builder store = isDurable ? new MVStore.Builder().fileName(arguments[2]) : new MVStore.Builder();
    Backend backend = new Backend(store.autoCommitDisabled().open(), isDurable);
    backend.version(ServerVersion.MONGO_5_0);
    new MongoServer(backend).bind(arguments[0], Integer.parseInt(arguments[1]));
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
