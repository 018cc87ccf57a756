/** Whether shortcuts use the Command key. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
