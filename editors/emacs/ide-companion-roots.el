;;; ide-companion-roots.el --- The folders in which agents find this Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Finds the projects and folders that are open, and writes them as LSP does.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-text)

(declare-function project-root "project")

(defcustom ide-companion-roots-function #'ide-companion-project-roots
  "Function that returns the folders in which agents find this Emacs.
It gets no argument and returns a list of absolute names."
  :group 'ide-companion
  :type 'function)

(defvar ide-companion--roots nil "The folders that the program knows of.")
(defvar ide-companion--run-folders nil "The folders in which agents were started from this Emacs.")

(defvar-local ide-companion--project nil
  "The folder of this buffer, and its project: (FOLDER . ROOT).")

(defun ide-companion--project-of (buffer)
  "The root of BUFFER's project, or nil."
  (with-current-buffer buffer
    (unless (equal (car ide-companion--project) default-directory)
      (let ((project (project-current nil default-directory)))
        (setq ide-companion--project
              (cons default-directory
                    (and project (ide-companion--folder (project-root project)))))))
    (cdr ide-companion--project)))

(defun ide-companion--folder (name)
  "The folder NAME as agents know it, or nil if it is on another machine."
  (unless (file-remote-p name)
    (ide-companion--file-name (directory-file-name (expand-file-name name)))))

(defun ide-companion--works-in-folder-p (buffer)
  "Whether BUFFER belongs to a folder: a file in it, its listing, a shell."
  (with-current-buffer buffer
    (or (ide-companion--file-buffer buffer)
        (derived-mode-p 'dired-mode 'comint-mode 'term-mode 'eshell-mode 'vterm-mode 'eat-mode))))

(defun ide-companion-project-roots ()
  "The projects that are open; without any, the folders of the open files."
  (let (projects folders)
    (dolist (buffer (buffer-list))
      (when (and (not (file-remote-p (buffer-local-value 'default-directory buffer)))
                 (ide-companion--works-in-folder-p buffer))
        (let ((project (ide-companion--project-of buffer)))
          (cond (project (push project projects))
                ((ide-companion--file-buffer buffer)
                 (push (ide-companion--folder (buffer-local-value 'default-directory buffer))
                       folders))))))
    (let ((roots (delete-dups (nreverse projects))))
      (or roots
          ;; By the home, or a folder above it, an agent in any project would use this Emacs as its IDE.
          (seq-remove (lambda (folder) (file-in-directory-p (expand-file-name "~/") folder))
                      (delete-dups (delq nil (nreverse folders))))))))

(defun ide-companion--current-roots ()
  "The folders that agents may work in now.
When nothing is open any more, the last ones."
  (let ((roots (append (mapcar #'ide-companion--folder (funcall ide-companion-roots-function))
                       ide-companion--run-folders)))
    (or (sort (delete-dups (delq nil roots)) #'string<)
        ide-companion--roots)))

(defun ide-companion--workspace-folders (roots)
  "ROOTS as LSP describes them."
  (vconcat (mapcar (lambda (root)
                     (list :uri root
                           :name (file-name-nondirectory root)))
                   roots)))

(defun ide-companion--roots-above (folder)
  "The folders known to the program in which FOLDER lies."
  (seq-filter (lambda (root) (file-in-directory-p folder root))
              ide-companion--roots))

(provide 'ide-companion-roots)
;;; ide-companion-roots.el ends here
