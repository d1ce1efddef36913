/**
 * The program of the pod: runs Prometheus, and reloads it when the mounted configuration changes.
 * A file of rules that is not valid is left out, so that a wrong expression of one team does not
 * stop the reload of all others. The server has no HTTP endpoint to reload or to quit.
 */
export const serve = `
set -u
checksum() { cat "$CONFIG/prometheus.yml" "$CONFIG"/rules_* 2>/dev/null | cksum; }
prepare() {
  rm -rf "$RUN/rules"
  mkdir -p "$RUN/rules"
  for file in "$CONFIG"/rules_*; do
    if [ ! -e "$file" ]; then continue; fi
    if promtool check rules "$file" >"$RUN/check" 2>&1; then cp "$file" "$RUN/rules/"
    else echo "left out, because it is not valid: \${file##*/}"; cat "$RUN/check"; fi
  done
  sed -e "s|@RUN@|$RUN|g" -e "s|@TARGETS@|$TARGETS|g" -e "s|@POD_NAME@|$POD_NAME|g" \\
    "$CONFIG/prometheus.yml" >"$RUN/prometheus.yml"
}
seen=$(checksum)
prepare
prometheus --config.file="$RUN/prometheus.yml" --storage.tsdb.path="$DATA" \\
  --storage.tsdb.retention.time="$RETENTION" --web.listen-address="\${LISTEN_ADDRESS:-}:9090" &
server=$!
trap 'kill -TERM $server' TERM INT
while kill -0 $server 2>/dev/null; do
  sleep 2 & wait $!
  now=$(checksum)
  if [ "$now" = "$seen" ]; then continue; fi
  seen=$now
  prepare
  kill -HUP $server
done
wait $server
`
