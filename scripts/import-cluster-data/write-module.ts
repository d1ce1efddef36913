import { writeFileSync } from 'node:fs'

/** Writes a module that exports a string, into packages/cluster/src/data/generated. */
export function writeModule(name: string, constant: string, text: string): void {
  const file = new URL(`../../packages/cluster/src/data/generated/${name}.ts`, import.meta.url)
  writeFileSync(file, moduleText(name, constant, text))
}

function moduleText(name: string, constant: string, text: string): string {
  if (/`|\$\{/.test(text))
    throw new Error(`${name} contains characters that a template literal would interpret`)
  const header =
    '// Written by scripts/import-cluster-data from a real API server; edits are lost.\n'
  return `${header}export const ${constant} = String.raw\`${text.trimEnd()}\`\n`
}
