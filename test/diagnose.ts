import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = `${root}operators/in-memory/`

/** An error of the compiler: its position in the text, and its whole message. */
interface Diagnostic {
  readonly start: number
  readonly message: string
}

/** Type-checks sources in memory, each separately, with the compiler options of this repository. */
export function diagnose(
  sources: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly Diagnostic[]>> {
  const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path))
  const { compilerOptions } = config.config as { compilerOptions: object }
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, root)
  const host = ts.createCompilerHost(options)
  const names = Object.keys(sources)
  const texts = new Map(names.map((name, index) => [`${folder}${index}.ts`, sources[name] ?? '']))
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  const program = ts.createProgram([...texts.keys()], options, host)
  return Object.fromEntries(
    names.map((name, index) => {
      const file = program.getSourceFile(`${folder}${index}.ts`)
      const found = program.getSemanticDiagnostics(file).map(({ start = 0, messageText }) => ({
        start,
        message: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }))
      return [name, found]
    }),
  )
}
