import { posix, win32 } from 'node:path'
import type { Environment, Files } from 'setpoint/host'

/** The path of a program on PATH; `undefined` when it is not installed. */
export async function findProgram(
  host: Environment & Files,
  name: string,
): Promise<string | undefined> {
  const isWindows = host.env('OS') === 'Windows_NT'
  const paths = isWindows ? win32 : posix
  const endings = isWindows ? (host.env('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';') : ['']
  for (const folder of (host.env('PATH') ?? host.env('Path') ?? '').split(paths.delimiter)) {
    if (folder === '') continue
    for (const ending of endings) {
      const path = paths.join(folder, `${name}${ending.toLowerCase()}`)
      const info = await host.fileInfo(path).catch(() => undefined)
      if (info !== undefined && !info.isDirectory) return path
    }
  }
  return undefined
}
