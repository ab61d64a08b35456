import { addCopyButtons } from '../design/copy-buttons';
import './reference.css';
import { followFragment } from './fragment';
import { rememberLanguage } from './language';
import { searchOperations } from './search';

followFragment();
window.addEventListener('hashchange', followFragment);
rememberLanguage();
searchOperations();
addCopyButtons();
