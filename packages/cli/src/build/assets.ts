import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import type { Files } from 'setpoint/host'

/** Files that the bundle reads at run time, by their names in the folder of the bundle. */
export type Assets = Map<string, string>

/** `new URL('template.yaml', import.meta.url)`: the path of a file, or a folder, next to a module. */
const fileBeside =
  /new URL\(\s*(['"`])((?:\.{0,2}\/)?[^'"`$:]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g

const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
}

/**
 * Copies files to the folder of the bundle, and rewrites their paths in the bundle: the files that
 * the author's modules name relative to themselves. Does not change files of packages.
 */
export function assetsPlugin(host: Files, folder: string, assets: Assets): Plugin {
  const folderNames: Assets = new Map()
  return {
    name: 'setpoint-assets',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
        if (path.replace(folder, '').includes('/node_modules/')) return undefined
        const text = new TextDecoder().decode(await host.readFile(path))
        if (!text.includes('import.meta.')) return undefined
        const found = new Map<string, string>()
        const folders = new Set<string>()
        for (const [, , name = ''] of text.matchAll(fileBeside)) {
          const file = join(dirname(path), name)
          const info = await host.fileInfo(file)
          if (info === undefined || (info.isDirectory && !isBelow(name))) continue
          found.set(name, file)
          if (info.isDirectory) folders.add(file)
        }
        for (const one of folders)
          await addFolder(host, one, { as: nameFor(one, folderNames), assets })
        const contents = text.replaceAll(fileBeside, (whole, _quote: string, name: string) => {
          const file = found.get(name)
          if (file === undefined) return whole
          const copied = folders.has(file)
            ? `${nameFor(file, folderNames)}/`
            : nameFor(file, assets)
          return `new URL('./${copied}', import.meta.url)`
        })
        const loader = loaders[extname(path)] ?? 'js'
        const warnings = path.startsWith(folder) ? pathWarnings(text, found, path) : []
        return { contents, loader, warnings }
      })
    },
  }
}

/** Whether a path names a folder below that of the module: others contain the sources. */
function isBelow(name: string): boolean {
  const path = join(name, '.')
  return path !== '.' && !path.startsWith('..') && !isAbsolute(path)
}

/** Adds all files of a folder. */
async function addFolder(
  host: Files,
  folder: string,
  { as, assets }: { readonly as: string; readonly assets: Assets },
): Promise<void> {
  for (const name of (await host.listDirectory(folder)).sort()) {
    const [path, inBundle] = [join(folder, name), `${as}/${name}`]
    const isFolder = (await host.fileInfo(path))?.isDirectory === true
    if (isFolder) await addFolder(host, path, { as: inBundle, assets })
    else assets.set(inBundle, path)
  }
}

/** Warnings for other uses of a module's own path: the path differs in the bundle. */
function pathWarnings(
  text: string,
  found: ReadonlyMap<string, string>,
  path: string,
): { text: string; location: { file: string; line: number; lineText: string } }[] {
  const withoutFound = (line: string): string =>
    line.replaceAll(fileBeside, (whole, _quote: string, name: string) =>
      found.has(name) ? '' : whole,
    )
  return text.split('\n').flatMap((lineText, index) =>
    /import\.meta\.(?:url|dirname|filename)/.test(withoutFound(lineText))
      ? [
          {
            text: "a file that is named like this is not copied into the bundle; write new URL('name', import.meta.url)",
            location: { file: path, line: index + 1, lineText },
          },
        ]
      : [],
  )
}

/** The name of a file next to the bundle: its own, with a number if another file has that name. */
function nameFor(file: string, assets: Assets): string {
  const own = basename(file)
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? own : `${count}-${own}`
    const taken = assets.get(name)
    if (taken !== undefined && taken !== file) continue
    assets.set(name, file)
    return name
  }
}
