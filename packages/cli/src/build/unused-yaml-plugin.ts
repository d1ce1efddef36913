import type { Plugin } from 'esbuild'

/**
 * Marks the package yaml as free of side effects. Its manifest does not declare that, and esbuild
 * would keep it in every bundle, even in those of operators that read no templates.
 */
export const unusedYamlPlugin: Plugin = {
  name: 'setpoint-unused-yaml',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved') return undefined
      const { path: found } = await build.resolve(path, { ...options, pluginData: 'resolved' })
      return found === '' ? undefined : { path: found, sideEffects: false }
    })
  },
}
