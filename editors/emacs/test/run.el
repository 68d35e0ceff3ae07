;;; run.el --- Run all tests of ide-companion -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs -Q --batch -l run.el

;;; Code:

(let ((here (file-name-directory load-file-name)))
  (dolist (folder (list here (file-name-directory (directory-file-name here))))
    (add-to-list 'load-path folder))
  (dolist (file (directory-files here nil "-test\\.el\\'"))
    (load (expand-file-name file here) nil t)))

(ert-run-tests-batch-and-exit)

;;; run.el ends here
