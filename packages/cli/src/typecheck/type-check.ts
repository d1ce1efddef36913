import { join, relative } from 'node:path'
import { isSetpointError } from 'setpoint'
import type { Files } from 'setpoint/host'
import type { Project } from '../project/index.ts'
import { resolvePackage, runCaptured } from '../system/index.ts'
import { type CompilerError, compilerErrors } from './compiler-errors.ts'

/** The result of a check. */
export type TypeCheckResult =
  | { readonly is: 'checked'; readonly errors: readonly CompilerError[] }
  /** There is nothing to check with; `why` is for the user. */
  | { readonly is: 'skipped'; readonly why: string }
  | { readonly is: 'stopped' }

/** A check that runs in its own process. */
export interface TypeCheck {
  readonly result: Promise<TypeCheckResult>
  /** Ends the process; the result is `stopped`. */
  stop(): void
}

/** The result of the last check, which makes the next one faster. */
const cacheFolder = '.setpoint'
const cacheFile = 'types.tsbuildinfo'

/**
 * Checks the types of a project with its own compiler and its tsconfig.json, as `tsc --noEmit`
 * does, in another process.
 */
export function startTypeCheck(host: Files, project: Pick<Project, 'folder'>): TypeCheck {
  const stop = new AbortController()
  const isStopped = (): boolean => stop.signal.aborted
  let kill = (): void => undefined
  const check = async (): Promise<TypeCheckResult> => {
    const compiler = await findCompiler(host, project.folder)
    if ('why' in compiler) return { is: 'skipped', why: compiler.why }
    const cache = await cacheOptions(host, project.folder)
    if (isStopped()) return { is: 'stopped' }
    const args = ['--project', 'tsconfig.json', '--noEmit', '--pretty', 'false', ...cache]
    const program = runCaptured(compiler.tsc, args, project.folder)
    kill = () => program.kill()
    const { code, output } = await program.ended
    if (isStopped()) return { is: 'stopped' }
    const errors = compilerErrors(output)
    // A compiler that fails without an error in its format must not pass as a successful check.
    if (code !== 0 && errors.length === 0) {
      const words = output.trim().split('\n').slice(-3).join(' ')
      const message = `${relative(project.folder, compiler.tsc)} ended with code ${code}: ${words}`
      return { is: 'checked', errors: [{ message, at: undefined }] }
    }
    return { is: 'checked', errors }
  }
  return {
    result: check(),
    stop: () => {
      stop.abort()
      kill()
    },
  }
}

async function findCompiler(
  host: Files,
  folder: string,
): Promise<{ readonly tsc: string } | { readonly why: string }> {
  if ((await host.fileInfo(join(folder, 'tsconfig.json'))) === undefined) {
    return { why: 'this project has no tsconfig.json' }
  }
  const compiler = resolvePackage('typescript', folder)
  if (compiler === undefined) {
    return { why: 'typescript is not installed in this project' }
  }
  return { tsc: join(compiler, 'bin/tsc') }
}

/** The options for the cache; none where the folder of the project is read-only. */
async function cacheOptions(host: Files, folder: string): Promise<string[]> {
  const own = join(folder, cacheFolder)
  try {
    await host.makeDirectory(own)
    // A project without a .gitignore must not commit it.
    await host.writeFile(join(own, '.gitignore'), '*\n')
  } catch (error) {
    if (isSetpointError(error)) return []
    throw error
  }
  return ['--incremental', '--tsBuildInfoFile', join(cacheFolder, cacheFile)]
}
