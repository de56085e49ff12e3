@echo off
rem Installs the course from the folder that this file lies in, without a network: install.bat [FOLDER]
setlocal
set "here=%~dp0"
set "folder=%~1"
if "%folder%"=="" set "folder=%USERPROFILE%\transformer-course"
call :install
set "status=%errorlevel%"
rem After a double-click the window would close on what was said.
pause
exit /b %status%

:install
set "found="
for %%v in (MINORS) do if not defined found py -3.%%v -c "" >nul 2>nul && set "found=py -3.%%v"
if not defined found python -c "import sys; sys.exit(str(sys.version_info[1]) not in 'MINORS'.split())" >nul 2>nul && set "found=python"
if not defined found (
    echo This folder has the course for Python PYTHONS; install one of them, and try again.
    exit /b 1
)
%found% -m venv "%folder%\.venv" || exit /b 1
echo Installing the course into %folder% (this takes some minutes)...
set "python=%folder%\.venv\Scripts\python"
set "from=--quiet --disable-pip-version-check --no-index --find-links "%here%wheels" --constraint "%here%constraints.txt""
"%python%" -m pip install %from% transformer-course || exit /b 1
rem A new edition may have the number of the old one.
"%python%" -m pip install %from% --no-deps --force-reinstall transformer-course || exit /b 1
cd /d "%folder%"
echo Installed. Now everything that the course needs is tried...
.venv\Scripts\transformer-course doctor
set "tried=%errorlevel%"
if not "%tried%"=="0" (
    echo The course is installed; nothing needs to be installed again. Do what stands below each !!, then try again with:
    echo             cd /d "%folder%" and .venv\Scripts\transformer-course doctor
)
echo Begin with: cd /d "%folder%" and .venv\Scripts\transformer-course lab
echo A folder from an instructor? Put it beside .venv (in %folder%), then, with its name for FOLDER:
echo             cd /d "%folder%" and .venv\Scripts\transformer-course lab FOLDER
exit /b %tried%
