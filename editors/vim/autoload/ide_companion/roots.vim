vim9script
# The folders in which agents find this Vim.

import autoload 'ide_companion/config.vim'

const marks = ['.git', '.hg', '.jj', '.svn']

# The repository of a folder, or the folder when there is none. The home folder is never a repository.
def ProjectOf(folder: string): string
  var [candidate, below] = [folder, '']
  while candidate !=# $HOME && candidate !=# below
    if !empty(copy(marks)->filter((_, mark) => getftype(candidate .. '/' .. mark) != ''))
      return candidate
    endif
    [candidate, below] = [fnamemodify(candidate, ':h'), candidate]
  endwhile
  return folder
enddef

# Absolute paths.
export def Current(): list<string>
  const Root = config.Options().root
  return type(Root) == v:t_func ? Root() : [ProjectOf(getcwd(-1))]
enddef

export def ToLsp(folders: list<string>): list<dict<string>>
  return mapnew(folders, (_, folder) => ({uri: folder, name: fnamemodify(folder, ':t')}))
enddef
