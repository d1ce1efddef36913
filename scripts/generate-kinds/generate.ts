// Writes packages/setpoint/src/kinds/generated from the committed facts of a real API server:
//
//     npm run generate:kinds              rewrites the folder
//     npm run generate:kinds -- --check   exits with code 1 if it is out of date
//
// The same data always gives the same bytes. data/README.md describes the data; definitions.ts has
// the rules for types with the same name.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readModel } from './definitions.ts'
import { listFiles } from './list-files.ts'
import { messageFiles } from './message-files.ts'
import { indexFile, typeFiles } from './type-files.ts'

const outputFolder = fileURLToPath(
  new URL('../../packages/setpoint/src/kinds/generated/', import.meta.url),
)

/** The expected content of the folder: path inside it -> content. */
export function generateKinds(): Map<string, string> {
  const model = readModel()
  const header =
    `// Written by scripts/generate-kinds from Kubernetes ${model.kubernetes}; edits are lost. ` +
    'Run `npm run generate:kinds`.\n\n'
  const files = new Map([
    ...typeFiles(model),
    ...listFiles(model),
    ...messageFiles(model),
    ['index.ts', `${indexFile(model)}\n`] as const,
  ])
  return new Map([...files].map(([path, source]) => [path, header + source]))
}

/**
 * Paths whose committed content differs from the generated one, including missing and surplus
 * files.
 */
export function outdatedFiles(): string[] {
  const expected = generateKinds()
  const present = new Map(
    readdirSync(outputFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(outputFolder.length), readFileSync(path, 'utf8')]),
  )
  const paths = new Set([...expected.keys(), ...present.keys()])
  return [...paths].filter((path) => expected.get(path) !== present.get(path)).sort()
}

function writeFiles(): void {
  rmSync(outputFolder, { recursive: true, force: true })
  for (const [path, source] of generateKinds()) {
    mkdirSync(dirname(join(outputFolder, path)), { recursive: true })
    writeFileSync(join(outputFolder, path), source)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const outdated = outdatedFiles()
    for (const path of outdated) console.error(`out of date: ${path}`)
    process.exitCode = outdated.length === 0 ? 0 : 1
  } else {
    writeFiles()
  }
}
