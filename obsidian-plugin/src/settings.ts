// What the user can set: where the program is, and whether links are judged.

import { type App, type Plugin, PluginSettingTab, type SettingDefinitionItem } from 'obsidian';

export interface Settings {
  program: string;
  links: boolean;
}

/** Reads settings as they were saved; whatever is not what it has to be is as if it were not there. */
export function readSettings(saved: unknown): Settings {
  const field = (name: string): unknown => (typeof saved === 'object' && saved !== null ? Reflect.get(saved, name) : undefined);
  const program = field('program');
  return { program: typeof program === 'string' ? program : '', links: field('links') === true };
}

/** What the tab needs of the plugin. */
export type SettingsOwner = Plugin & {
  settings: Settings;
  change(settings: Settings): Promise<void>;
};

export class SettingsTab extends PluginSettingTab {
  constructor(app: App, private readonly owner: SettingsOwner) {
    super(app, owner);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return [
      {
        name: 'Path of the program',
        desc: 'The full path of memora on this computer. If empty, it is looked for on PATH and where it is usually installed.',
        control: { type: 'text', key: 'program', placeholder: 'Found by itself' },
      },
      {
        name: 'Judge sentences that cite by links',
        desc: 'Links mostly mention, so that many are called unsupported. Off, only sentences with a citation or a footnote are judged.',
        control: { type: 'toggle', key: 'links' },
      },
    ];
  }

  override getControlValue(key: string): unknown {
    return Reflect.get(this.owner.settings, key);
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    await this.owner.change(readSettings({ ...this.owner.settings, [key]: value }));
  }
}
