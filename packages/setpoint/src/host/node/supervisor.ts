import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { commandError } from '../command-error.ts'

/** The environment variable that identifies processes which left their group. */
export const rootVariable = 'SETPOINT_ROOT'

/**
 * A program that outlives this process. It reads the running groups (`+1`, `-1`) until its input
 * ends, which also happens when this process is killed; then it kills them, and processes that left
 * them, and removes the directory. First it does the same for directories whose own supervisor was
 * killed: it finds their processes by a variable, or, because programs overwrite theirs, by a
 * listed group with a working directory below the directory. A group number alone may belong to
 * another process.
 */
const script = `
root=$1 groups=
clean() {
  known=" $(cat "$1/.groups" 2>/dev/null) "
  for round in 1 2 3 4 5; do
    pids=$(grep -lsF "${rootVariable}=$1" /proc/[0-9]*/environ | sed 's|/proc/\\([0-9]*\\)/.*|\\1|')
    for pid in $(ls -ld /proc/[0-9]*/cwd 2>/dev/null | sed -n "s|.*/proc/\\([0-9]*\\)/cwd -> $1.*|\\1|p"); do
      read -r a b c d group rest < "/proc/$pid/stat"
      case $known in *" $group "*) pids="$pids $pid" ;; esac
    done
    [ -z "$pids" ] && break
    kill -KILL $pids
  done
  rm -rf -- "$1"
}
runs() {
  if [ -d /proc/self ]; then grep -qsF "$2" "/proc/$1/cmdline"; else kill -0 "$1" 2>/dev/null; fi
}
echo $$ > "$root/.supervisor"
for other in "\${root%-*}"-*; do
  [ "$other" != "$root" ] && [ -O "$other" ] && [ -f "$other/.supervisor" ] || continue
  read -r pid < "$other/.supervisor" && ! runs "$pid" "$other" && clean "$other"
done
while read -r line; do
  case $line in
    +*) groups="$groups \${line#+} " ;;
    -*) groups="\${groups%% \${line#-} *} \${groups#* \${line#-} }" ;;
  esac
  echo "$groups" > "$root/.groups"
done
for group in $groups; do kill -KILL -- "-$group"; done
clean "$root"
`

/** A reference to the running supervisor. */
export interface Hold {
  /** The directory that is removed with this process. */
  readonly root: string
  /** Reports that a group runs, or has ended. */
  report(line: string): void
  release(): void
}

interface Watch {
  readonly root: string
  readonly child: ChildProcess
}

/**
 * Makes sure that no process and no directory outlives this process. It runs only while it is
 * needed, and does not keep the process alive.
 */
export class Supervisor {
  #watch: Promise<Watch> | undefined
  #holds = 0

  async hold(): Promise<Hold> {
    this.#holds += 1
    this.#watch ??= beginWatch()
    const watch = this.#watch
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      this.#holds -= 1
      if (this.#holds > 0) return
      this.#watch = undefined
      void watch.then(({ child }) => child.stdin?.end()).catch(() => undefined)
    }
    try {
      const { root, child } = await watch
      return { root, release, report: (line) => void child.stdin?.write(`${line}\n`) }
    } catch (error) {
      release()
      throw error
    }
  }
}

async function beginWatch(): Promise<Watch> {
  const root = await mkdtemp(`${tmpdir()}/setpoint-run-`)
  const child = spawn('/bin/sh', ['-c', script, 'setpoint-supervisor', root], {
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      void rm(root, { recursive: true, force: true })
      reject(commandError('/bin/sh', error.message, error))
    })
  })
  child.stdin.on('error', () => undefined)
  child.unref()
  // A pipe keeps a process alive as a socket does.
  ;(child.stdin as { unref?(): void }).unref?.()
  return { root, child }
}
