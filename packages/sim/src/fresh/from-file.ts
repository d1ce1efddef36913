import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { type AnyOperator, SetpointError } from 'setpoint'
import type { FreshProgram, PlainProgram } from '../world/program.ts'
import { addSourceMap } from '../world/source-lines.ts'
import { bundleFile, packageFunction } from './bundle-file.ts'
import { PackageModules } from './package-modules.ts'

/** Which export of a file is the program. */
export interface FromFileOptions {
  /** `default` by default. */
  readonly export?: string
}

let programs = 0

/**
 * A program in a file, for `simulate`: an operator, a list of operators, or a function. The file and
 * the files that it imports are evaluated again for each start of a process, as in reality, so that
 * a crash loses what is in the variables of modules, and replicas do not share them. Packages are
 * loaded once. It needs the package esbuild.
 *
 *     const program = await fromFile(new URL('./operator.ts', import.meta.url))
 *     expect(await simulate(program, { samples })).toHaveNoFindings()
 */
export async function fromFile(
  path: string | URL,
  { export: name = 'default' }: FromFileOptions = {},
): Promise<FreshProgram> {
  const file = typeof path === 'string' ? resolve(path) : fileURLToPath(path)
  const packages = new PackageModules()
  const { code, sourceMap } = await bundleFile(file, packages)
  const modules = await packages.all()
  programs += 1
  const filename = `${file}.simulated-${programs}.js`
  const { sources, mappings } = JSON.parse(sourceMap) as {
    readonly sources: readonly string[]
    readonly mappings: string
  }
  addSourceMap(filename, { sources: sources.map((one) => resolve(dirname(file), one)), mappings })
  const script = new Script(`(function (module, exports, ${packageFunction}) {${code}\n})`, {
    filename,
  })
  const evaluate = script.runInThisContext() as Evaluate
  const start = (): PlainProgram => {
    const module: EvaluatedModule = { exports: {} }
    evaluate(module, module.exports, (specifier) => modules.get(specifier))
    return programOf(module.exports[name], { file, name })
  }
  return { declared: start(), start }
}

interface EvaluatedModule {
  readonly exports: Record<string, unknown>
}

type Evaluate = (
  module: EvaluatedModule,
  exports: EvaluatedModule['exports'],
  loaded: (specifier: string) => unknown,
) => void

function programOf(
  value: unknown,
  { file, name }: { readonly file: string; readonly name: string },
): PlainProgram {
  if (isOperator(value)) return [value]
  if (Array.isArray(value) && value.every(isOperator)) return value
  if (typeof value === 'function') return value as Exclude<PlainProgram, readonly AnyOperator[]>
  throw new SetpointError('OPERATOR_INVALID', `the export ${name} of ${file} is not a program`, {
    hint: 'export an operator, a list of operators, or a function that runs a control loop',
  })
}

function isOperator(value: unknown): value is AnyOperator {
  return typeof value === 'object' && value !== null && 'declaration' in value
}
