import { invalid } from './kubeconfig.ts'

/** The parser for YAML that is not plain, from the package `yaml`, if it is installed. */
export async function yamlReader(file: string): Promise<(text: string) => unknown> {
  try {
    const { parse } = (await hiddenImport('yaml')) as { parse: (text: string) => unknown }
    return parse
  } catch {
    throw invalid(
      `${file} uses YAML features that need the package yaml, which is not installed; ` +
        'install it, or rewrite the file with `kubectl config view --raw`',
    )
  }
}

/**
 * Hidden from bundlers: the YAML parser would be a third of a small operator that never needs it.
 */
async function hiddenImport(name: string): Promise<unknown> {
  return import(name)
}
