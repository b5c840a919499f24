/** VitePress' own theme with the fonts of the reader's system: nothing is loaded for them. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
