import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { nodeHost } from 'setpoint/host'
import { expect, onTestFinished, test } from 'vitest'
import { type Assets, assetsPlugin } from './assets.ts'
import { bundleDockerfile } from './dockerfile.ts'

async function bundled(source: string): Promise<{ text: string; assets: Assets }> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-assets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'chart/templates'), { recursive: true })
  writeFileSync(join(folder, 'chart/Chart.yaml'), 'name: web')
  writeFileSync(join(folder, 'chart/templates/web.yaml'), 'kind: Pod')
  writeFileSync(join(folder, 'main.ts'), source)
  const assets: Assets = new Map()
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [assetsPlugin(nodeHost(), folder, assets)],
  })
  const [output] = outputFiles
  return { text: output?.text ?? '', assets }
}

test('a folder next to a module is copied with all its files', async () => {
  const { text, assets } = await bundled("console.log(new URL('./chart/', import.meta.url))")
  expect(text).toContain('new URL("./chart/", import.meta.url)')
  expect([...assets.keys()]).toEqual(['chart/Chart.yaml', 'chart/templates/web.yaml'])
  expect(bundleDockerfile(['operator.mjs', ...assets.keys()])).toContain(
    'COPY operator.mjs /app/\nCOPY chart/ /app/chart/\n',
  )
})

test('the folder of a module, and those above it, are not copied', async () => {
  const { assets } = await bundled(
    "console.log(new URL('.', import.meta.url), new URL('../', import.meta.url))",
  )
  expect([...assets.keys()]).toEqual([])
})
