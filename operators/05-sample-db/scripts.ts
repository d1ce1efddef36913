/**
 * The shell scripts of the containers, for the official image of PostgreSQL. All of them may be
 * interrupted at any moment and run again: they write to a temporary directory and rename it.
 *
 * The data of version 15.4 is in $DATA/pg-15.4. Sockets are in $RUN, which only this pod uses.
 */

/** `create DIRECTORY`: initializes an empty PostgreSQL cluster with password authentication. */
const create = `
create() {
  rm -rf "$1"
  (umask 077 && printf '%s\\n' "$PGPASSWORD" > "$RUN/password")
  initdb --pgdata="$1" --username="$PGUSER" --pwfile="$RUN/password" \\
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --no-locale
  rm "$RUN/password"
  echo 'host all all all scram-sha-256' >> "$1/pg_hba.conf"
}
`

/** `start DIRECTORY` and `stop`: a server that only this script can reach. */
const localServer = `
start() {
  postgres -D "$1" -h '' -k "$RUN" &
  server=$!
  until pg_isready -q -h "$RUN" -d postgres; do
    kill -0 "$server"
    sleep 0.2
  done
}
stop() {
  kill -INT "$server"
  wait "$server"
}
`

/** Runs the server. It never starts with an empty database if there is data of another version. */
export const serve = `set -eu
${create}
PGDATA="$DATA/pg-$VERSION"
export PGDATA
if [ ! -d "$PGDATA" ]; then
  for other in "$DATA"/pg-*; do
    if [ -d "$other" ]; then
      echo "there is no data of version $VERSION on this volume, but there is $other" >&2
      exit 1
    fi
  done
  create "$DATA/new"
  mv "$DATA/new" "$PGDATA"
fi
for other in "$DATA"/pg-*; do
  if [ "$other" != "$PGDATA" ]; then rm -rf "$other"; fi
done
postgres -h "\${LISTEN_ADDRESSES:-*}" -k "$RUN" &
server=$!
# A fast shutdown, which does not wait until clients disconnect.
trap 'kill -INT "$server"' TERM INT
# The password may have been changed since the last start.
until pg_isready -q -h "$RUN" -d postgres; do
  kill -0 "$server"
  sleep 0.2
done
psql --no-psqlrc --quiet --host="$RUN" --dbname=postgres --set=ON_ERROR_STOP=1 <<'SQL'
\\set name \`printenv PGUSER\`
\\set password \`printenv PGPASSWORD\`
ALTER ROLE :"name" PASSWORD :'password';
SQL
wait "$server" || wait "$server"
`

/* * The initial configuration, or the restore of a backup. A comment on the database marks it as
 * complete.
 */
export const initialize = `set -eu
until pg_isready -q -d postgres; do sleep 1; done
ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }
mark="SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '$PGDATABASE'"
if [ "$(ask --dbname=postgres --command="$mark")" = initialized ]; then
  echo "$PGDATABASE is initialized already"
  exit 0
fi
ask --dbname=postgres --command="DROP DATABASE IF EXISTS \\"$PGDATABASE\\"" \\
  --command="CREATE DATABASE \\"$PGDATABASE\\""
if [ -n "\${SOURCE:-}" ]; then
  if [ -n "\${BACKUP:-}" ]; then
    file=$(ls -1 "$SOURCE"/*/"$BACKUP".sql)
  else
    file=$(ls -1t "$SOURCE"/*/*.sql | head -n 1)
  fi
  if [ -z "$file" ]; then
    echo 'there is no backup to begin with' >&2
    exit 1
  fi
  echo "restoring $file"
  ask --single-transaction --file="$file"
fi
if [ -n "\${INIT_SCRIPT:-}" ]; then
  printf '%s' "$INIT_SCRIPT" | ask --single-transaction --file=-
fi
ask --command="COMMENT ON DATABASE \\"$PGDATABASE\\" IS 'initialized'"
`

/** Creates a backup over the network, and deletes the oldest backups. */
export const backup = `set -eu
mkdir -p "$BACKUPS/backup"
file="$BACKUPS/backup/$JOB.sql"
pg_dump --no-owner --no-privileges > "$file.part"
mv "$file.part" "$file"
echo "made $JOB"
ls -1t "$BACKUPS"/backup/*.sql | tail -n "+$DROP_FROM" | while read -r old; do
  rm -f "$old"
  echo "removed $old"
done
`

/** The first half of an upgrade: the old version dumps the data as SQL. */
export const unload = `set -eu
${localServer}
if [ -d "$DATA/pg-$VERSION" ]; then exit 0; fi
if [ ! -d "$DATA/pg-$FROM" ]; then
  echo "there is no data of version $FROM on this volume" >&2
  exit 1
fi
start "$DATA/pg-$FROM"
pg_dumpall --host="$RUN" > "$DATA/upgrade.part"
stop
mv "$DATA/upgrade.part" "$DATA/upgrade.sql"
`

/* * The second half of an upgrade: the new version restores the dump into a new directory. The old
 * directory is kept until the server starts.
 */
export const load = `set -eu
${create}${localServer}
if [ -d "$DATA/pg-$VERSION" ]; then exit 0; fi
create "$DATA/new"
start "$DATA/new"
# initdb has already created the first role.
sed "/^CREATE ROLE $PGUSER;\\$/d" "$DATA/upgrade.sql" |
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --host="$RUN" --dbname=postgres > "$RUN/loaded"
stop
mv "$DATA/new" "$DATA/pg-$VERSION"
rm "$DATA/upgrade.sql"
`

/** The final snapshot of a deleted database, from its volume, after its server has stopped. */
export const snapshot = `set -eu
${localServer}
file="$BACKUPS/snapshot/$JOB.sql"
if [ -f "$file" ]; then exit 0; fi
if [ ! -d "$DATA/pg-$VERSION" ]; then
  echo 'there is no data to keep'
  exit 0
fi
start "$DATA/pg-$VERSION"
has="SELECT 1 FROM pg_database WHERE datname = '$PGDATABASE'"
if [ -n "$(psql --no-psqlrc --tuples-only --no-align --host="$RUN" --dbname=postgres --command="$has")" ]; then
  mkdir -p "$BACKUPS/snapshot"
  pg_dump --no-owner --no-privileges --host="$RUN" > "$file.part"
  mv "$file.part" "$file"
  echo "made $JOB"
fi
stop
`
