import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = `${root}packages/setpoint/src/kinds/`

/**
 * Type-checks sources in memory, as if they were in the folder of the kinds, with the compiler
 * options of this repository, without the types of Node unless `types` has them. Returns the errors as `file:line message`.
 */
export function compileStrict(
  sources: Readonly<Record<string, string>>,
  { types = [] }: { readonly types?: readonly string[] } = {},
): string[] {
  const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path))
  const options = ts.convertCompilerOptionsFromJson(
    (config.config as { compilerOptions: object }).compilerOptions,
    root,
  ).options
  const host = ts.createCompilerHost(options)
  const sourceOf = (path: string) =>
    path.startsWith(folder) ? sources[path.slice(folder.length)] : undefined
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (path) => sourceOf(path) ?? readFile(path)
  host.fileExists = (path) => sourceOf(path) !== undefined || fileExists(path)
  const names = Object.keys(sources).map((name) => folder + name)
  const program = ts.createProgram(names, { ...options, types: [...types] }, host)
  return names.flatMap((name) => {
    const file = program.getSourceFile(name)
    const problems = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return problems.map(({ start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1
      return `${name.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}
