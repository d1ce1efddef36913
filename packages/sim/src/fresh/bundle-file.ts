import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { build as buildType, OnLoadResult, Plugin } from 'esbuild'
import { SetpointError } from 'setpoint'
import { isOwnModule, type PackageModules } from './package-modules.ts'

/** The author's files as one text in the form of CommonJS, with its source map. */
interface Bundle {
  readonly code: string
  readonly sourceMap: string
}

/** Marks what esbuild looks up for the plugin. */
const isResolving = Symbol('resolving')

/** The name of the function that gives the bundle a package. */
export const packageFunction = '__simulatedPackage'

/** Bundles a file with the files that it imports. Packages stay outside. */
export async function bundleFile(file: string, packages: PackageModules): Promise<Bundle> {
  const { build } = await esbuildModule()
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'external',
    outfile: join(dirname(file), 'simulated.js'),
    logLevel: 'silent',
    // As Node.js resolves packages, without the additions of bundlers.
    conditions: [],
    mainFields: ['main'],
    // A module is evaluated for its effects, whatever its package says of them.
    ignoreAnnotations: true,
    plugins: [packagePlugin(packages), placePlugin],
  }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SetpointError('OPERATOR_INVALID', `the program cannot be bundled: ${why}`, {
      hint: 'it must compile, without an await outside of functions',
      cause,
    })
  })
  const textOf = (end: string): string =>
    outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { code: textOf('.js'), sourceMap: textOf('.map') }
}

async function esbuildModule(): Promise<{ readonly build: typeof buildType }> {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new SetpointError('OPERATOR_INVALID', 'a program in files needs the package esbuild', {
      hint: 'npm install --save-dev esbuild',
      cause,
    })
  }
}

/** Imports of packages become constants with what the loaded package exports. */
function packagePlugin(packages: PackageModules): Plugin {
  return {
    name: 'packages',
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, ...from }) => {
        if (from.kind === 'entry-point' || from.pluginData === isResolving) return undefined
        if (isOwnModule(path) || isBuiltin(path)) return { path, namespace: 'package' }
        const found = await build.resolve(path, { ...from, pluginData: isResolving })
        if (found.errors.length > 0) return { errors: found.errors }
        // Other packages of the author's workspace are files of the author.
        const isPackage = /[\\/]node_modules[\\/]/.test(found.path)
        return { path: found.path, namespace: isPackage ? 'package' : 'file' }
      })
      build.onLoad(
        { filter: /.*/, namespace: 'package' },
        async ({ path }): Promise<OnLoadResult> => {
          const names = Object.keys(await packages.module(path))
          const lines = names.map((name, index) => {
            const shown = name === 'default' ? name : JSON.stringify(name)
            return `const v${index} = module[${JSON.stringify(name)}]; export { v${index} as ${shown} }`
          })
          const module = `const module = ${packageFunction}(${JSON.stringify(path)})`
          return { contents: [module, ...lines].join('\n') }
        },
      )
    },
  }
}

const loaders = { '.ts': 'ts', '.mts': 'ts', '.cts': 'ts', '.tsx': 'tsx', '.jsx': 'jsx' } as const

/** Files know their own place, although they are part of a bundle. */
const placePlugin: Plugin = {
  name: 'places',
  setup: (build) => {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.')) return undefined
      const contents = text
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(path))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)))
      const [, loader = 'js'] = Object.entries(loaders).find(([end]) => path.endsWith(end)) ?? []
      return { contents, loader }
    })
  },
}
