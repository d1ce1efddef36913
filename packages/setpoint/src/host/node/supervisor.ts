import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { commandError } from '../command-error.ts'

/** The variable by which processes are found that left their group. */
export const rootVariable = 'SETPOINT_ROOT'

/**
 * The program that outlives this process. It reads the groups that run (`+1`, `-1`) until its input ends, which happens
 * also when this process is killed; then it kills them, and whatever has left them, and removes the directory. First it
 * does so for directories whose own supervisor was killed: their processes are known by a variable, or, because programs
 * overwrite theirs, by a group that is listed and a place to work below the directory. A number alone may be another's.
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

/** What somebody who needs the supervisor gets. */
export interface Hold {
  /** The directory that goes with this process. */
  readonly root: string
  /** Tells it that a group runs, or no longer. */
  tell(line: string): void
  release(): void
}

interface Watch {
  readonly root: string
  readonly child: ChildProcess
}

/** Sees to it that nothing is left behind. It runs only while it is needed, and keeps no process from ending. */
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
      return { root, release, tell: (line) => void child.stdin?.write(`${line}\n`) }
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
