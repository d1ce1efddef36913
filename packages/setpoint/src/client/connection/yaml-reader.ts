import { invalid } from './kubeconfig.ts'

/** The reader for YAML that is not plain, from the package `yaml`, if that is installed beside the program. */
export async function yamlReader(file: string): Promise<(text: string) => unknown> {
  try {
    const { parse } = (await hiddenImport('yaml')) as { parse: (text: string) => unknown }
    return parse
  } catch {
    throw invalid(
      `${file} has YAML of a kind that needs the package yaml, which is not installed beside this program; ` +
        'write it anew with `kubectl config view --raw`',
    )
  }
}

/** Bundlers do not see what is imported: a third of a small operator would be a YAML reader that it never needs. */
async function hiddenImport(name: string): Promise<unknown> {
  return import(name)
}
