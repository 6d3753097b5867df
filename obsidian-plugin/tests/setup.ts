// The app has a window; of it, the plugin's half without a screen uses the timers.

import { vi } from 'vitest';

vi.stubGlobal('window', globalThis);
