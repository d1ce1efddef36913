/**
 * The shell scripts of the containers. All of them may be interrupted at any moment and run again.
 * Directories are in variables: $JENKINS_HOME, $FILES, $BACKUPS and $SOURCE.
 */

/**
 * Writes the jobs before Jenkins starts: those of a restored backup, of the seed repository, and of
 * the spec. A job that is no longer in the spec or the repository is moved out of the way with its
 * builds; jobs that users created stay.
 */
export const writeJobs = `set -eu
cd "$JENKINS_HOME"
if [ -n "\${SOURCE:-}" ] && [ ! -d jobs ]; then
  newest=$(ls -1t "$SOURCE"/*.tar.gz | head -n 1)
  if [ -z "$newest" ]; then
    echo 'there is no backup to restore' >&2
    exit 1
  fi
  rm -rf restored
  mkdir restored
  tar -xzf "$newest" -C restored
  mv restored/jobs jobs
  echo "restored $newest"
fi
rm -rf desired seed
mkdir -p jobs desired
if [ -n "\${SEED_URL:-}" ]; then
  export GIT_TERMINAL_PROMPT=0
  git -c credential.helper='!f() { echo "username=$GIT_USERNAME"; echo "password=$GIT_PASSWORD"; }; f' \\
    clone --quiet --depth 1 --branch "$SEED_REVISION" -- "$SEED_URL" seed
  for file in "seed/$SEED_PATH"/*.xml; do
    if [ -f "$file" ]; then cp "$file" desired/; fi
  done
  rm -rf seed
fi
for file in "$FILES"/*.job.xml; do
  name=$(basename "$file" .job.xml)
  if [ -f "$file" ]; then cp "$file" "desired/$name.xml"; fi
done
for file in desired/*.xml; do
  if [ ! -f "$file" ]; then continue; fi
  name=$(basename "$file" .xml)
  mkdir -p "jobs/$name"
  cp "$file" "jobs/$name/config.xml.new"
  mv "jobs/$name/config.xml.new" "jobs/$name/config.xml"
  echo "wrote $name"
done
if [ -f jobs-of-operator ]; then
  while read -r name; do
    if [ -f "desired/$name.xml" ] || [ ! -d "jobs/$name" ]; then continue; fi
    mkdir -p former-jobs
    rm -rf "former-jobs/$name"
    mv "jobs/$name" "former-jobs/$name"
    echo "moved $name to former-jobs"
  done < jobs-of-operator
fi
for file in desired/*.xml; do
  if [ -f "$file" ]; then basename "$file" .xml; fi
done > jobs-of-operator.new
mv jobs-of-operator.new jobs-of-operator
rm -rf desired
`

/** The backup of the jobs with their builds, after Jenkins has stopped. */
export const backUpJobs = `set -eu
file="$BACKUPS/$BACKUP.tar.gz"
if [ -f "$file" ]; then exit 0; fi
cd "$JENKINS_HOME"
mkdir -p jobs former-jobs
tar -czf "$file.part" jobs former-jobs
mv "$file.part" "$file"
for job in jobs/*/config.xml; do
  if [ -f "$job" ]; then echo "kept $(basename "$(dirname "$job")")"; fi
done
echo "made $BACKUP.tar.gz"
`
