import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')

/**
 * Type-checks programs of users, with the compiler options of this repository and the faster of its two compilers; it takes
 * a process and looks at everything they import, so it is for many at a time (`compileStrict` is for few). Returns the
 * complaints about them, each as the compiler prints it, beginning with the name of the file.
 */
export async function compileTogether(
  sources: Readonly<Record<string, string>>,
): Promise<string[]> {
  const cache = join(root, 'node_modules/.cache/setpoint')
  mkdirSync(cache, { recursive: true })
  // In here, where they find our packages.
  const folder = mkdtempSync(join(cache, 'compile-'))
  try {
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
    const config = {
      extends: join(root, 'tsconfig.json'),
      files: Object.keys(sources),
      include: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const lines = await printed([compiler, '--project', folder, '--pretty', 'false'], folder)
    // What they import is checked elsewhere; lines that go on with a complaint are indented.
    return lines.filter((line) => /^[^ (/]+\(\d/.test(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function printed(args: readonly string[], cwd: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      // With complaints it ends with 1 or 2.
      if (error !== null && stdout === '') reject(new Error(`${error.message}\n${stderr}`))
      else resolve(stdout.split('\n'))
    })
  })
}
