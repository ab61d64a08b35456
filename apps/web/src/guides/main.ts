import { addCopyButtons } from '../design/copy-buttons';

addCopyButtons();
