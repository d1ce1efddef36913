// `npm run cluster`: runs cluster.ts as one bundled file, which is cached in node_modules/.cache and
// rebuilt when a source is newer. Loading six hundred TypeScript modules took a second per start.
// Plain JavaScript, because the TypeScript loader alone takes longer than the cluster.
// @ts-check
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = join(root, 'node_modules/.cache/setpoint/cluster.mjs')
const sources = ['scripts', 'packages/setpoint/src', 'packages/cluster/src']

/** @returns {boolean} whether something below the folder was written after the bundle */
function isNewer(/** @type {string} */ folder, /** @type {number} */ bundledMs) {
  if (statSync(folder).mtimeMs > bundledMs) return true
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.name === 'testdata' || entry.name.endsWith('.test.ts')) return false
    const path = join(folder, entry.name)
    return entry.isDirectory() ? isNewer(path, bundledMs) : statSync(path).mtimeMs > bundledMs
  })
}

async function makeBundle() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['scripts/cluster.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@setpoint/source'],
    alias: { yaml: './node_modules/yaml/browser/index.js' },
  })
  mkdirSync(dirname(bundle), { recursive: true })
  // Renamed into place, so that another start never reads a partial file.
  const written = `${bundle}.${process.pid}`
  writeFileSync(written, outputFiles[0]?.contents ?? '')
  renameSync(written, bundle)
}

// npm ends its shell on a signal, and some shells do not forward it: then this process would never
// stop.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const parent = process.ppid
  const checkParent = () => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }
  setInterval(checkParent, 100).unref()
}

const bundledMs = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (sources.some((folder) => isNewer(join(root, folder), bundledMs))) await makeBundle()
await import(pathToFileURL(bundle).href)
