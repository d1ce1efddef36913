import { readdir, readFile } from 'node:fs/promises'

/** A running process of a pod. */
export interface PodProcess {
  readonly podUid: string
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

/** Linux counts processor time in hundredths of a second, and memory in pages. */
const ticksPerSecond = 100
const pageBytes = 4096

/** A process of an embedded cluster has the directory of its container as its home. */
const home = /(?:^|\0)HOME=[^\0]*\/pods\/([0-9a-f-]{36})\/containers\//

/** A container of a node is in a control group of its pod; systemd does not allow hyphens. */
const controlGroup = /pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12})/

/** The processes of all pods on this machine, from `/proc`. Processes of other users are left out. */
export async function podProcesses(): Promise<PodProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(ids.map(processOf))
  return found.flatMap((one) => one ?? [])
}

async function processOf(id: string): Promise<PodProcess | undefined> {
  try {
    const [environ, groups, stat, statm] = await Promise.all(
      ['environ', 'cgroup', 'stat', 'statm'].map((file) => readFile(`/proc/${id}/${file}`, 'utf8')),
    )
    const podUid = podUidOf(environ ?? '', groups ?? '')
    if (podUid === undefined) return undefined
    return { podUid, ...usageOf(stat ?? '', statm ?? '') }
  } catch (error) {
    // The process has ended, or belongs to another user.
    const { code } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code ?? '')) return undefined
    throw error
  }
}

/** The pod of a process, from its environment or its control groups. */
export function podUidOf(environ: string, groups: string): string | undefined {
  const [, found] = home.exec(environ) ?? controlGroup.exec(groups) ?? []
  return found?.replaceAll('_', '-')
}

/** Processor time and memory, from the files `stat` and `statm` of a process. */
export function usageOf(stat: string, statm: string): Omit<PodProcess, 'podUid'> {
  // The name of the program, in brackets, may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const pages = Number(statm.split(' ')[1])
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: pages * pageBytes }
}
