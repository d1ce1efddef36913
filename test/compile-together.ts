import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')

/**
 * Type-checks programs of users with the compiler options of this repository and the faster of its
 * two compilers. It starts a process and checks all imports, so it is for many programs
 * (`compileStrict` is for few). Returns the errors as the compiler prints them, beginning with the
 * name of the file.
 */
export async function compileTogether(
  sources: Readonly<Record<string, string>>,
): Promise<string[]> {
  const cache = join(root, 'node_modules/.cache/setpoint')
  mkdirSync(cache, { recursive: true })
  // In this folder, where they resolve the packages.
  const folder = mkdtempSync(join(cache, 'compile-'))
  try {
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
    const config = {
      extends: join(root, 'tsconfig.json'),
      files: Object.keys(sources),
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const lines = await runNode([compiler, '--project', folder, '--pretty', 'false'], folder)
    // Only errors of the programs themselves; continuation lines are indented.
    return lines.filter((line) => /^[^ (/]+\(\d/.test(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runNode(args: readonly string[], cwd: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      // With errors it exits with 1 or 2.
      if (error !== null && stdout === '') reject(new Error(`${error.message}\n${stderr}`))
      else resolve(stdout.split('\n'))
    })
  })
}
